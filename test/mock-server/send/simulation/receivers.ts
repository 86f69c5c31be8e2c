import { hash } from 'node:crypto';
import { HopError, type HopResponse } from '../../../../mock-server/send/sender.ts';
import type { Sent } from './sent.ts';
import type { SimClock } from './sim-clock.ts';
import type { Behaviour, Match, Scenario, Segment } from './scenario.ts';

/** Returns the behaviour of the receiver at a URL, over the whole scenario. */
export function segmentsOf({ endpoints, legacy }: Scenario, url: string): readonly Segment[] {
  const [, name = '', address = '0'] = /^https:\/\/(\w+)-(\d)\./.exec(url) ?? [];
  const plan = name === 'legacy' ? legacy : endpoints[Number(name.slice(1))];
  return plan?.segments[address === '1' ? 1 : 0] ?? ACCEPTING;
}

const ACCEPTING: readonly Segment[] = [
  { fromMs: 0, behaviour: { kind: 'status', status: 204, delayMs: 3 } },
];

/** Returns the receiver's behaviour for this body. */
export function toAnswer({ behaviour, exception }: Segment, bodyText: string): Behaviour {
  return exception && matches(exception.events, bodyText) ? exception.behaviour : behaviour;
}

export function matches(match: Match, bodyText: string): boolean {
  const [, kind = '', sessionId = ''] =
    /^\{"event":"([^"]+)".*"sessionId":"([^"]+)"/.exec(bodyText) ?? [];
  // A test event has the nil session id, so no exception by session or event applies to it.
  const isTest = sessionId.startsWith('0000');
  switch (match.by) {
    case 'kind':
      return kind === match.kind;
    case 'session':
      return !isTest && toFraction(sessionId) < match.share;
    case 'event':
      return !isTest && toFraction(`${kind} ${sessionId}`) < match.share;
    case 'body':
      return bodyText.includes(match.text);
  }
}

function toFraction(text: string): number {
  return hash('sha256', text, 'buffer').readUInt32BE() / 2 ** 32;
}

const PUBLIC = '93.184.216.34';

/** Simulates the DNS response that belongs to the receiver's behaviour. */
export function resolveHost({ behaviour, resolves }: Sent, host: string): readonly string[] {
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

/** Answers one request of an attempt according to the behaviour of its receiver. */
export async function answer(
  record: Sent,
  url: string,
  { clock, signal }: { readonly clock: SimClock; readonly signal: AbortSignal },
): Promise<HopResponse> {
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
    case 'limited':
      throw new Error('The network has resolved this behaviour to a status');
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
