import { request } from 'node:https';
import { connect } from 'node:net';
import { createNodeSender, type Dial } from '../../mock-server/send/node-sender.ts';
import type { RealClock } from '../../mock-server/store/clock.ts';
import { createMockService } from '../../mock-server/service/service.ts';

export interface Job {
  readonly ports: readonly number[];
  /** Number of events. Each goes to every receiver. */
  readonly events: number;
  readonly ca: string;
}

/** Runs once and resolves with the duration in seconds. */
export type Run = () => Promise<number>;

const AT_ONCE = 8;
const PUBLIC = '93.184.216.34';

/**
 * Sends the same number of requests, of a similar size and each over a new connection, without the service.
 */
export function createBareLoop({ ports, events, ca }: Job): Run {
  const body = Buffer.from(
    JSON.stringify({ event: 'verification.completed', pad: 'x'.repeat(280) }),
  );
  const post = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          servername: 'shop.example',
          port,
          ca,
          agent: false,
          method: 'POST',
          path: '/hook',
          headers: {
            'content-type': 'application/json',
            'content-length': body.byteLength,
            'x-ofage-signature': `sha256=${'0'.repeat(64)}`,
          },
        },
        (response) => response.resume().on('end', resolve),
      );
      sent.on('error', reject);
      sent.end(body);
    });
  return async () => {
    const began = performance.now();
    await Promise.all(
      ports.flatMap((port) => {
        let left = events;
        return Array.from({ length: AT_ONCE }, async () => {
          while (left > 0) {
            left -= 1;
            await post(port);
          }
        });
      }),
    );
    return (performance.now() - began) / 1000;
  };
}

/** Runs the complete service: transactions, signatures, destination check and records. */
export function createEngineRun({ ports, events, ca }: Job): Run {
  return async () => {
    const gate = createGate();
    const resolve = async (): Promise<string[]> => [PUBLIC];
    const inner = createNodeSender({ resolve, dial: dialReceiver, ca });
    const total = ports.length * events;
    let sent = 0;
    let done = (): void => {};
    const isDone = new Promise<void>((release) => (done = release));
    const service = createMockService({
      realClock: gate.clock,
      resolve,
      sender: {
        async send(one) {
          const result = await inner.send(one);
          sent += 1;
          if (sent === total) done();
          return result;
        },
      },
      tenant: { rateLimits: { create: 1_000_000 } },
      endpoints: ports.map((port) => ({
        url: `https://shop.example:${port}/hook`,
        events: ['verification.completed'],
      })),
    });
    await service.ready;
    for (let n = 0; n < events; n += 1) await service.control.trigger({ name: 'verified' });

    const began = performance.now();
    gate.open();
    await isDone;
    const seconds = (performance.now() - began) / 1000;
    await service.close();
    return seconds;
  };
}

const dialReceiver: Dial = (_address, port) =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => resolve({ socket, address: PUBLIC }));
  });

/** Creates a clock that wakes no job before the gate opens, so that creating the events is not measured. */
function createGate(): { clock: RealClock; open(): void } {
  let isOpen = false;
  const held: (() => void)[] = [];
  return {
    clock: {
      now: () => Date.now(),
      wakeAt(atMs, wake) {
        let isWanted = true;
        const ring = (): void => {
          if (isWanted) wake();
        };
        if (isOpen) setTimeout(ring, Math.max(0, atMs - Date.now()));
        else held.push(ring);
        return () => {
          isWanted = false;
        };
      },
    },
    open() {
      isOpen = true;
      for (const ring of held.splice(0)) ring();
    },
  };
}
