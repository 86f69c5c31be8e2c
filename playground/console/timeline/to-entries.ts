import type {
  ClockReading,
  DeliveryResource,
  EndpointResource,
  EventResource,
  FaultResource,
  RequestResource,
  SessionResource,
} from 'ofage-mock';
import { STATUS_TONES } from '../../shared/console/tones.ts';
import { toDuration } from '../../shared/duration.ts';
import type { TraceEntry } from '../../shared/trace.ts';
import type { Tone } from '../../shared/kit/chip.tsx';
import type { Entry } from './entry.ts';

// Converts items of the trace, of the live stream or of a list to entries of the timeline.

export function toTraceEntry({ id, at, kind, title, sessionId, detail }: TraceEntry): Entry {
  const { call, isTaken, access }: Record<string, unknown> = Object(detail);
  const tone: Tone = /rejected|threw|has not/.test(title)
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

/** What the converters of the service's items state about an entry. The rest has usual values. */
type Stated = Pick<Entry, 'id' | 'kind' | 'title' | 'detail'> &
  Partial<Pick<Entry, 'tone' | 'sessionId'>> & { readonly at: string };

function toServiceEntry({ at, ...stated }: Stated): Entry {
  return {
    virtualMs: Date.parse(at),
    realMs: null,
    receivedMs: null,
    tone: 'neutral',
    sessionId: null,
    call: null,
    ...stated,
  };
}

/** Returns a function that makes an entry about the session. */
const about =
  (session: SessionResource) =>
  (key: string, stated: Pick<Stated, 'at' | 'title' | 'tone'>): Entry =>
    toServiceEntry({
      id: `session:${session.id}:${key}`,
      kind: 'session',
      sessionId: session.id,
      detail: session,
      ...stated,
    });

/** Returns the entries for a session's creation, result and validation, as far as they have happened. */
export function toSessionEntries(session: SessionResource): Entry[] {
  const { createdAt, settledAt, validatedAt, status, reason } = session;
  const { verificationMode, challengeAge } = session;
  const entry = about(session);
  const why = reason === null || reason === status ? '' : ` (${reason})`;
  const entries = [
    entry('created', {
      at: createdAt,
      title: `Session pending: ${verificationMode}, age ${challengeAge}`,
    }),
  ];
  if (settledAt !== null) {
    const title = `Session pending → ${status}${why}`;
    entries.push(entry('settled', { at: settledAt, title, tone: STATUS_TONES[status] }));
  }
  if (validatedAt !== null) {
    const title = `Session ${status} → validated: result collected`;
    entries.push(entry('validated', { at: validatedAt, title, tone: 'accent' }));
  }
  return entries;
}

/**
 * Returns the entries for changes that only a comparison of two versions shows. `at` is the service's time.
 */
export function toSessionChanges(
  before: SessionResource,
  after: SessionResource,
  at: string,
): Entry[] {
  const { needsRetry, retries, activeDevice } = after;
  const entry = about(after);
  const entries: Entry[] = [];
  if (needsRetry && !before.needsRetry) {
    const title = 'Image not usable: the shopper can retry';
    entries.push(entry(`poor:${retries}`, { at, title, tone: 'warn' }));
  }
  if (retries > before.retries) {
    entries.push(entry(`retry:${retries}`, { at, title: `Retry ${retries} in the same session` }));
  }
  if (activeDevice !== before.activeDevice) {
    entries.push(entry(`device:${at}`, { at, title: `Continued on the ${activeDevice} device` }));
  }
  return entries;
}

export function toEventEntry(event: EventResource): Entry {
  const { id, createdAt, sessionId } = event;
  return toServiceEntry({
    id: `event:${id}`,
    kind: 'event',
    at: createdAt,
    title: event.body === null ? `${event.event}, not sent yet` : event.event,
    tone: 'accent',
    sessionId,
    detail: event,
  });
}

/** An attempt to deliver an event, and the delivery to which it belongs. */
export interface AttemptDetail {
  readonly attempt: DeliveryResource['attempts'][number];
  readonly delivery: Omit<DeliveryResource, 'attempts'>;
}

/** Returns one entry per attempt, and another one if the event was recorded as not delivered. */
export function toDeliveryEntries({ attempts, ...delivery }: DeliveryResource): Entry[] {
  const { id, event, sessionId, undeliveredAt, reason } = delivery;
  const place = delivery.url.replace(/^https?:\/\//, '');
  const entries = attempts.map((attempt) => {
    const detail: AttemptDetail = { attempt, delivery };
    const { n, outcome, httpStatus, error, startedAt, fault } = attempt;
    const failure = error === 'connect' ? 'could not connect' : error;
    const result = httpStatus ?? failure ?? (outcome === 'lost' ? 'lost' : '…');
    const faultNote = fault === null ? '' : `, fault ${fault}`;
    return toServiceEntry({
      id: `delivery:${id}:${n}`,
      kind: 'delivery',
      at: startedAt,
      title: `${event}, attempt ${n} → ${result}${faultNote} · ${place}`,
      tone: outcome === 'ok' ? 'good' : outcome === null ? 'neutral' : 'bad',
      sessionId,
      detail,
    });
  });
  if (undeliveredAt !== null) {
    const why = reason === null ? '' : `: ${reason}`;
    entries.push(
      toServiceEntry({
        id: `delivery:${id}:undelivered:${undeliveredAt}`,
        kind: 'delivery',
        at: undeliveredAt,
        title: `${event} not delivered${why} · ${place}`,
        tone: 'bad',
        sessionId,
        detail: { delivery, attempts },
      }),
    );
  }
  return entries;
}

/** Returns one entry if the endpoint is paused, otherwise none. */
export function toEndpointEntries(endpoint: EndpointResource): Entry[] {
  const { id, url, health } = endpoint;
  const { pausedAt, pauseReason } = health;
  if (pausedAt === null) return [];
  return [
    toServiceEntry({
      id: `endpoint:${id}:${pausedAt}`,
      kind: 'endpoint',
      at: pausedAt,
      title: `Webhooks to ${url} paused: ${pauseReason ?? 'no reason'}`,
      tone: 'bad',
      detail: endpoint,
    }),
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
): Entry[] {
  const endpoint = after ?? before;
  if (!endpoint) return [];
  const { id, url } = endpoint;
  const entry = (what: string, title: string, tone: Tone = 'neutral'): Entry =>
    toServiceEntry({
      id: `endpoint:${id}:${what}:${at}`,
      kind: 'endpoint',
      at,
      title,
      tone,
      detail: endpoint,
    });
  if (!after) return [entry('deleted', `Endpoint deleted: ${url}`)];
  if (!before) return [entry('added', `Endpoint added: ${url}`)];
  const entries: Entry[] = [];
  if (before.health.pausedAt !== null && after.health.pausedAt === null) {
    entries.push(entry('resumed', `Webhooks to ${url} resumed`, 'good'));
  }
  if (before.enabled !== after.enabled) {
    entries.push(entry('toggled', `Endpoint ${after.enabled ? 'enabled' : 'disabled'}: ${url}`));
  }
  if (before.url !== url) entries.push(entry('moved', `Endpoint moved to ${url}`));
  return entries;
}

export function toFaultEntry(fault: FaultResource): Entry {
  const { id, operation, remaining, createdAt } = fault;
  const what = operation === 'webhook' ? 'webhook' : 'call';
  const calls = remaining === 1 ? what : `${remaining} ${what}s`;
  const target = operation === 'webhook' ? '' : ` to ${operation}`;
  return toServiceEntry({
    id: `fault:${id}`,
    kind: 'fault',
    at: createdAt,
    title: `Fault ${fault.fault}: the next ${calls}${target}`,
    tone: 'warn',
    detail: fault,
  });
}

/** A reading of the service's clock, and when it arrived on this computer's clock. */
export interface ClockReport {
  readonly clock: Pick<ClockReading, 'now' | 'frozen'>;
  readonly receivedMs: number;
}

/** Returns an entry if the clock was moved, reset, frozen or resumed, otherwise null. */
export function toClockEntry(before: ClockReport, after: ClockReport): Entry | null {
  const passedMs = before.clock.frozen ? 0 : after.receivedMs - before.receivedMs;
  const movedMs = Date.parse(after.clock.now) - Date.parse(before.clock.now) - passedMs;
  const what: string[] = [];
  if (movedMs > SLACK_MS) what.push(`moved ${toDuration(movedMs)} forward`);
  if (movedMs < -SLACK_MS) what.push('restarted');
  if (before.clock.frozen !== after.clock.frozen) {
    what.push(after.clock.frozen ? 'frozen' : 'resumed');
  }
  if (what.length === 0) return null;
  const { now } = after.clock;
  return {
    ...toServiceEntry({
      id: `clock:${now}:${after.receivedMs}`,
      kind: 'clock',
      at: now,
      title: `Clock ${what.join(', ')}`,
      detail: { before: before.clock, after: after.clock },
    }),
    receivedMs: after.receivedMs,
  };
}

/**
 * The largest difference between two readings, in milliseconds, that does not count as a move, because
 * reports about the clock may arrive late.
 */
const SLACK_MS = 900;
