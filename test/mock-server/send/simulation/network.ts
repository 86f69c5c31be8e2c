import { createHmac, hash } from 'node:crypto';
import { follow, type Sender, type WebhookRequest } from '../../../../mock-server/send/sender.ts';
import type { BodySigner } from '../../../../mock-server/send/signature.ts';
import { answer, resolveHost, toAnswer } from './receivers.ts';
import type { Behaviour, Segment } from './scenario.ts';
import type { Sent } from './sent.ts';
import type { SimClock } from './sim-clock.ts';

/** A process of the service, as seen by the network. */
export interface SenderProcess {
  /** The number of the process, from 0. */
  readonly no: number;
  readonly isAlive: boolean;
  /**
   * Kills the process if the scenario plans a crash at this point of a request. `c1` is before anything is
   * sent, `c2` before the receiver gets it, and `c3` after the receiver has responded. `c4` plans the crash
   * for the commit of the outcome.
   */
  reach(phase: 'c1' | 'c2' | 'c3' | 'c4', no: number): void;
}

export interface Network {
  readonly sent: Sent[];
  senderOf(holder: SenderProcess): Sender;
}

export function createNetwork(
  clock: SimClock,
  startMs: number,
  segmentsOf: (url: string) => readonly Segment[],
): Network {
  const sent: Sent[] = [];
  /** The requests to receivers with a limit, in each second. */
  const perSecond = new Map<string, number>();

  function behaviourAt(url: string, atMs: number, bodyText: string): Behaviour {
    const segment = segmentsOf(url).findLast(({ fromMs }) => fromMs <= atMs - startMs);
    const behaviour = segment ? toAnswer(segment, bodyText) : ({ kind: 'connect' } as const);
    if (behaviour.kind !== 'limited') return behaviour;
    const second = `${url} ${Math.floor(atMs / 1_000)}`;
    const count = (perSecond.get(second) ?? 0) + 1;
    perSecond.set(second, count);
    const status = count <= behaviour.perSecond ? 200 : 503;
    return { kind: 'status', status, delayMs: behaviour.delayMs };
  }

  return {
    sent,
    senderOf: (holder) => ({
      send(request) {
        const bodyText = new TextDecoder().decode(request.body);
        const record: Sent = {
          no: sent.length + 1,
          process: holder.no,
          atMs: clock.now(),
          url: request.url,
          bodyText,
          headers: request.headers,
          behaviour: behaviourAt(request.url, clock.now(), bodyText),
          resolves: [],
          dials: [],
          isHandled: false,
          endMs: null,
          isOrphan: false,
        };
        sent.push(record);
        holder.reach('c1', record.no);
        if (!holder.isAlive) return cutOff(record);
        return transmit(record, request, holder);
      },
    }),
  };

  /** Ends a request whose process died before it sent any byte. */
  function cutOff(record: Sent): Promise<never> {
    record.endMs ??= clock.now();
    record.isOrphan = true;
    return new Promise(() => {});
  }

  async function transmit(
    record: Sent,
    request: WebhookRequest,
    holder: SenderProcess,
  ): ReturnType<Sender['send']> {
    const result = await follow(
      request,
      { resolve: (host) => resolve(record, host) },
      async ({ host, addresses, url }, _request, signal, onAddress) => {
        const address = addresses?.[0] ?? 'none';
        record.dials.push({ host, address, vetted: addresses ?? [] });
        onAddress(address);
        holder.reach('c2', record.no);
        if (!holder.isAlive) return cutOff(record);
        const response = await answer(record, url, { clock, signal });
        holder.reach('c3', record.no);
        return response;
      },
      (ms, fire) => clock.wakeAt(clock.now() + ms, fire),
    );
    record.endMs ??= clock.now();
    if (!holder.isAlive) record.isOrphan = true;
    else holder.reach('c4', record.no);
    return result;
  }

  async function resolve(record: Sent, host: string): Promise<readonly string[]> {
    const { kind } = record.behaviour;
    if (kind === 'dns_hang') await new Promise(() => {});
    if (kind === 'dns_fail') throw new Error('SERVFAIL');
    const addresses = resolveHost(record, host);
    record.resolves.push({ host, answer: addresses });
    return addresses;
  }
}

/**
 * Signs like Web Crypto, but synchronously. With a thread the order of events would depend on the machine.
 */
export const signSynchronously: BodySigner = (body, secret) =>
  Promise.resolve({
    signature: secret === null ? null : signNow(body, secret),
    sha256: hash('sha256', body),
  });

export function signNow(body: Uint8Array | string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
