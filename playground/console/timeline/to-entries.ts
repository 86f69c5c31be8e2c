import type {
  ClockReading,
  DeliveryResource,
  EndpointResource,
  EventResource,
  FaultResource,
  RequestResource,
  SessionResource,
} from 'ofage/mock';
import { toDuration } from '../../shared/duration.ts';
import type { TraceEntry } from '../../shared/trace.ts';
import type { Entry, EntryKind, EntryTone } from './entry.ts';

// Converts items of the trace, of the live stream or of a list to entries of the timeline.

export function toTraceEntry({ id, at, kind, title, sessionId, detail }: TraceEntry): Entry {
  const { call, isTaken, access }: Record<string, unknown> = Object(detail);
  const tone: EntryTone = /rejected|threw|has not/.test(title)
    ? 'bad'
    : isTaken === false
      ? 'warn'
      : access === true || title.endsWith(': verified')
        ? 'good'
        : 'neutral';
  return {
    id: `trace:${id}`,
    kind,
    virtualMs: null,
    realMs: Date.parse(at),
    receivedMs: null,
    title,
    tone,
    sessionId,
    call: typeof call === 'string' ? call : null,
    detail,
  };
}

export function toRequestEntry(request: RequestResource): Entry {
  const { id, at, realAt, method, path, status, fault, sessionId } = request;
  const faultNote = fault === null ? '' : `, fault ${fault}`;
  return {
    // The ids of requests restart at 1 after a reset, so the id alone is not unique.
    id: `request:${realAt}:${id}`,
    kind: 'request',
    virtualMs: Date.parse(at),
    realMs: Date.parse(realAt),
    receivedMs: null,
    title: `${method} ${path} → ${status}${faultNote}`,
    tone: status >= 400 || fault === 'malformed' ? 'bad' : 'neutral',
    sessionId,
    call: null,
    detail: request,
  };
}

/** Returns the entries for a session's creation, result and validation, as far as they have happened. */
export function toSessionEntries(session: SessionResource, receivedMs: number | null): Entry[] {
  const { id, createdAt, settledAt, validatedAt, status, reason } = session;
  const entry = (key: string, at: string, title: string, tone: EntryTone): Entry =>
    toServiceEntry(`session:${id}:${key}`, 'session', at, receivedMs, title, tone, id, session);
  const { verificationMode, challengeAge } = session;
  const why = reason === null || reason === status ? '' : ` (${reason})`;
  return [
    entry(
      'created',
      createdAt,
      `Session pending: ${verificationMode}, age ${challengeAge}`,
      'neutral',
    ),
    ...(settledAt === null
      ? []
      : [entry('settled', settledAt, `Session pending → ${status}${why}`, toneOf(status))]),
    ...(validatedAt === null
      ? []
      : [
          entry(
            'validated',
            validatedAt,
            `Session ${status} → validated: result collected`,
            'accent',
          ),
        ]),
  ];
}

/**
 * Returns the entries for changes that only a comparison of two versions shows. `at` is the
 * service's time.
 */
export function toSessionChanges(
  before: SessionResource,
  after: SessionResource,
  at: string,
  receivedMs: number,
): Entry[] {
  const entry = (key: string, title: string, tone: EntryTone): Entry =>
    toServiceEntry(
      `session:${after.id}:${key}`,
      'session',
      at,
      receivedMs,
      title,
      tone,
      after.id,
      after,
    );
  const { retries, activeDevice } = after;
  return [
    ...(after.needsRetry && !before.needsRetry
      ? [entry(`poor:${retries}`, 'Image not usable: the shopper can retry', 'warn')]
      : []),
    ...(retries > before.retries
      ? [entry(`retry:${retries}`, `Retry ${retries} in the same session`, 'neutral')]
      : []),
    ...(activeDevice === before.activeDevice
      ? []
      : [entry(`device:${at}`, `Continued on the ${activeDevice} device`, 'neutral')]),
  ];
}

export function toEventEntry(event: EventResource, receivedMs: number | null): Entry {
  const { id, createdAt, sessionId } = event;
  const title = event.body === null ? `${event.event}, not sent yet` : event.event;
  return toServiceEntry(
    `event:${id}`,
    'event',
    createdAt,
    receivedMs,
    title,
    'accent',
    sessionId,
    event,
  );
}

/** An attempt to deliver an event, and the delivery to which it belongs. */
export interface AttemptDetail {
  readonly attempt: DeliveryResource['attempts'][number];
  readonly delivery: Omit<DeliveryResource, 'attempts'>;
}

/** Returns one entry per attempt, and another one if the event was recorded as not delivered. */
export function toDeliveryEntries(
  { attempts, ...delivery }: DeliveryResource,
  receivedMs: number | null,
): Entry[] {
  const { id, event, sessionId, undeliveredAt, reason } = delivery;
  const entries = attempts.map((attempt) => {
    const detail: AttemptDetail = { attempt, delivery };
    const { n, outcome, httpStatus, error, startedAt, fault } = attempt;
    const failure = error === 'connect' ? 'could not connect' : error;
    const result = httpStatus ?? failure ?? (outcome === 'lost' ? 'lost' : '…');
    const faultNote = fault === null ? '' : `, fault ${fault}`;
    const title = `${event}, attempt ${n} → ${result}${faultNote} · ${new URL(delivery.url).host}`;
    const tone: EntryTone = outcome === 'ok' ? 'good' : outcome === null ? 'neutral' : 'bad';
    return toServiceEntry(
      `delivery:${id}:${n}`,
      'delivery',
      startedAt,
      receivedMs,
      title,
      tone,
      sessionId,
      detail,
    );
  });
  if (undeliveredAt === null) return entries;
  const key = `delivery:${id}:undelivered:${undeliveredAt}`;
  const why = reason === null ? '' : `: ${reason}`;
  const title = `${event} not delivered${why} · ${new URL(delivery.url).host}`;
  return [
    ...entries,
    toServiceEntry(key, 'delivery', undeliveredAt, receivedMs, title, 'bad', sessionId, {
      delivery,
      attempts,
    }),
  ];
}

/** Returns one entry if the endpoint is paused, otherwise none. */
export function toEndpointEntries(endpoint: EndpointResource, receivedMs: number | null): Entry[] {
  const { id, url, health } = endpoint;
  const { pausedAt, pauseReason } = health;
  if (pausedAt === null) return [];
  const title = `Webhooks to ${url} paused: ${pauseReason ?? 'no reason'}`;
  return [
    toServiceEntry(
      `endpoint:${id}:${pausedAt}`,
      'endpoint',
      pausedAt,
      receivedMs,
      title,
      'bad',
      null,
      endpoint,
    ),
  ];
}

/**
 * Returns the entries for a change to an endpoint. `before` is null for a new endpoint, and `after` is null
 * for a deleted one.
 */
export function toEndpointChanges(
  before: EndpointResource | null,
  after: EndpointResource | null,
  at: string,
  receivedMs: number,
): Entry[] {
  const endpoint = after ?? before;
  if (!endpoint) return [];
  const { id, url } = endpoint;
  const entry = (what: string, title: string, tone: EntryTone): Entry =>
    toServiceEntry(
      `endpoint:${id}:${what}:${at}`,
      'endpoint',
      at,
      receivedMs,
      title,
      tone,
      null,
      endpoint,
    );
  if (!after) return [entry('deleted', `Endpoint deleted: ${url}`, 'neutral')];
  if (!before) return [entry('added', `Endpoint added: ${url}`, 'neutral')];
  return [
    ...(before.health.pausedAt !== null && after.health.pausedAt === null
      ? [entry('resumed', `Webhooks to ${url} resumed`, 'good')]
      : []),
    ...(before.enabled === after.enabled
      ? []
      : [
          entry('toggled', `Endpoint ${after.enabled ? 'enabled' : 'disabled'}: ${url}`, 'neutral'),
        ]),
    ...(before.url === url ? [] : [entry('moved', `Endpoint moved to ${url}`, 'neutral')]),
  ];
}

export function toFaultEntry(fault: FaultResource, receivedMs: number | null): Entry {
  const { id, operation, remaining, createdAt } = fault;
  const what = operation === 'webhook' ? 'webhook' : 'call';
  const calls = remaining === 1 ? what : `${remaining} ${what}s`;
  const target = operation === 'webhook' ? '' : ` to ${operation}`;
  const title = `Fault ${fault.fault}: the next ${calls}${target}`;
  return toServiceEntry(`fault:${id}`, 'fault', createdAt, receivedMs, title, 'warn', null, fault);
}

/** Returns an entry if the clock was moved, reset, frozen or resumed, otherwise null. */
export function toClockEntry(
  before: { readonly clock: Pick<ClockReading, 'now' | 'frozen'>; readonly receivedMs: number },
  after: { readonly clock: Pick<ClockReading, 'now' | 'frozen'>; readonly receivedMs: number },
): Entry | null {
  const passedMs = before.clock.frozen ? 0 : after.receivedMs - before.receivedMs;
  const movedMs = Date.parse(after.clock.now) - Date.parse(before.clock.now) - passedMs;
  const moved = movedMs > SLACK_MS ? `moved ${toDuration(movedMs)} forward` : null;
  const back = movedMs < -SLACK_MS ? 'restarted' : null;
  const state =
    before.clock.frozen === after.clock.frozen ? null : after.clock.frozen ? 'frozen' : 'resumed';
  const what = [moved, back, state].filter((part) => part !== null);
  if (what.length === 0) return null;
  const { now } = after.clock;
  const key = `clock:${now}:${after.receivedMs}`;
  const title = `Clock ${what.join(', ')}`;
  return toServiceEntry(key, 'clock', now, after.receivedMs, title, 'neutral', null, {
    before: before.clock,
    after: after.clock,
  });
}

/**
 * The largest difference between two readings, in milliseconds, that does not count as a move, because
 * reports about the clock may arrive late.
 */
const SLACK_MS = 900;

function toServiceEntry(
  id: string,
  kind: EntryKind,
  at: string,
  receivedMs: number | null,
  title: string,
  tone: EntryTone,
  sessionId: string | null,
  detail: unknown,
): Entry {
  const common = { virtualMs: Date.parse(at), realMs: null, call: null };
  return { ...common, id, kind, receivedMs, title, tone, sessionId, detail };
}

function toneOf(status: SessionResource['status']): EntryTone {
  switch (status) {
    case 'verified':
      return 'good';
    case 'failed':
      return 'bad';
    case 'cancelled':
    case 'expired':
      return 'warn';
    case 'pending':
      return 'neutral';
  }
}
