import { createHmac, hash } from 'node:crypto';
import { follow, HopError, type HopResponse } from '../../../../mock-server/delivery/follow.ts';
import type { Seal } from '../../../../mock-server/delivery/seal.ts';
import type { Sender, WebhookRequest } from '../../../../mock-server/delivery/sender.ts';
import { toAnswer } from './receivers.ts';
import type { Behaviour, Segment } from './scenario.ts';
import type { SimClock } from './sim-clock.ts';

/** One request of the engine and its outcome, as the network saw it. */
export interface Sent {
  /** The number of the request, from 1. */
  readonly no: number;
  /** The number of the process that sent it, from 0. */
  readonly process: number;
  readonly atMs: number;
  readonly url: string;
  readonly bodyText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly behaviour: Behaviour;
  readonly resolves: { host: string; answer: readonly string[] }[];
  readonly dials: { host: string; address: string; vetted: readonly string[] }[];
  /** True if the receiver has handled the event. */
  isHandled: boolean;
  /** Time at which the engine had the result, or at which the request ended after the process died. */
  endMs: number | null;
  /** True if the process that sent it died before it had the result. */
  isOrphan: boolean;
}

/** A process of the service, as seen by the network. */
export interface Holder {
  /** The number of the process, from 0. */
  readonly no: number;
  readonly isAlive: boolean;
  /** Called at named points. Kills the process if the scenario has a crash there. */
  reach(phase: 'c1' | 'c2' | 'c3' | 'c4', no: number): void;
}

export interface Network {
  readonly sent: Sent[];
  senderOf(holder: Holder): Sender;
}

const PUBLIC = '93.184.216.34';

export function createNetwork(
  clock: SimClock,
  startMs: number,
  segmentsOf: (url: string) => readonly Segment[],
): Network {
  const sent: Sent[] = [];

  function behaviourAt(url: string, atMs: number, bodyText: string): Behaviour {
    const segment = segmentsOf(url).findLast(({ fromMs }) => fromMs <= atMs - startMs);
    return segment ? toAnswer(segment, bodyText) : { kind: 'connect' };
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
    holder: Holder,
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
        const response = await answer(record, url, signal);
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
    const answer = answerOf(record, host);
    record.resolves.push({ host, answer });
    return answer;
  }

  function answerOf({ behaviour, resolves }: Sent, host: string): readonly string[] {
    switch (behaviour.kind) {
      case 'dns_empty':
        return [];
      case 'dns_mixed':
        return [PUBLIC, '10.0.0.7'];
      case 'dns_private':
        return ['169.254.169.254'];
      case 'dns_flip':
        return resolves.some((earlier) => earlier.host === host) ? ['127.0.0.1'] : [PUBLIC];
      case 'redirect':
        return host.startsWith('inside.') ? ['10.0.0.7'] : [PUBLIC];
      default:
        return [PUBLIC];
    }
  }

  async function answer(record: Sent, url: string, signal: AbortSignal): Promise<HopResponse> {
    const { behaviour } = record;
    const handle = (): void => {
      // A receiver that responds after the sender has disconnected has still handled the event.
      record.isHandled = true;
    };
    const final = (status: number, retryAfter: string | null = null): HopResponse => {
      if (status >= 200 && status < 300) handle();
      return { status, location: null, retryAfter };
    };
    switch (behaviour.kind) {
      case 'status':
        await clock.sleep(behaviour.delayMs);
        return final(behaviour.status, behaviour.retryAfter);
      case 'endless':
        await clock.sleep(behaviour.delayMs);
        return final(200);
      case 'dns_flip':
        return final(204);
      case 'reset_before':
        await clock.sleep(behaviour.delayMs);
        throw new HopError('reset');
      case 'reset_after':
        await clock.sleep(behaviour.delayMs);
        if (!signal.aborted) handle();
        throw new HopError('reset');
      case 'connect':
      case 'tls':
        throw new HopError(behaviour.kind);
      case 'redirect':
        return redirect(record, behaviour, url, final);
      default:
        return new Promise(() => {});
    }
  }

  function redirect(
    { dials }: Sent,
    behaviour: Extract<Behaviour, { kind: 'redirect' }>,
    url: string,
    final: (status: number) => HopResponse,
  ): HopResponse {
    const { host } = new URL(url);
    const done = dials.length - 1;
    if (done >= behaviour.hops && behaviour.to === 'final') return final(200);
    const isLast = done === behaviour.hops - 1;
    const next = host.replace(/^(r\d+\.)?/, `r${done + 1}.`);
    const places = {
      final: `https://${next}/hook`,
      private: `https://inside.${host}/hook`,
      http: `http://${next}/hook`,
      nowhere: 'https://user@[/',
    };
    const location = isLast ? places[behaviour.to] : places.final;
    return { status: behaviour.status, location, retryAfter: null };
  }
}

/**
 * Signs like Web Crypto, but synchronously. With a thread the order of events would depend on the machine.
 */
export const sealNow: Seal = (body, secret) =>
  Promise.resolve({
    signature: secret === null ? null : signNow(body, secret),
    sha256: hash('sha256', body),
  });

export function signNow(body: Uint8Array | string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
