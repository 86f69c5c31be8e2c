import type {
  ChangeKind,
  ChangeResource,
  DeliveryResource,
  EventResource,
  ReportResource,
  RequestResource,
  SessionResource,
} from 'ofage-mock';
import { describeChange, describeReport } from 'ofage-mock/client';
import { DELIVERY_WORDS } from '../../../mock-server/words/states.ts';
import { describeReason } from '../../shared/console/describe-reason.ts';
import { STATUS_TONES } from '../../shared/console/tones.ts';
import { toDuration } from '../../shared/duration.ts';
import type { Tone } from '../../shared/kit/chip.tsx';
import type { Cause, Entry, EntryKind } from './entry.ts';

// Converts items of the live stream or of a list to entries of the timeline.

const REPORT_KINDS = {
  page: 'page',
  sdk: 'sdk',
  verify: 'sdk',
  window: 'sdk',
  session: 'sdk',
  destroy: 'sdk',
  return: 'sdk',
  warning: 'sdk',
  callback: 'callback',
  message: 'message',
} as const satisfies Readonly<Record<SubjectOf<ReportResource['kind']>, EntryKind>>;

export function toReportEntry(report: ReportResource): Entry {
  const { id, at, realAt, kind, sessionId, attemptId } = report;
  const subject = kind.slice(0, kind.indexOf('.')) as SubjectOf<ReportResource['kind']>;
  return {
    // The ids of reports restart at 1 after a reset, so the id alone is not unique.
    id: `report:${realAt}:${id}`,
    kind: REPORT_KINDS[subject],
    atMs: Date.parse(at),
    realMs: Date.parse(realAt),
    cause: null,
    no: id,
    title: describeReport(report),
    tone: toReportTone(report),
    sessionId,
    call: attemptId,
    detail: report,
  };
}

export function toReportTone({ kind, facts }: ReportResource): Tone {
  const { isOpen, isInClick, hasEffect, status } = facts;
  if (kind === 'sdk.refused' || kind === 'verify.rejected' || isOpen === false) return 'bad';
  if (kind === 'warning.written' || isInClick === false || hasEffect === false) return 'warn';
  return kind === 'verify.resolved' && status === 'verified' ? 'good' : 'neutral';
}

export function toRequestEntry(request: RequestResource): Entry {
  const { id, at, realAt, method, path, status, sessionId } = request;
  return {
    // The ids of requests restart at 1 after a reset, so the id alone is not unique.
    id: `request:${realAt}:${id}`,
    kind: 'request',
    atMs: Date.parse(at),
    realMs: Date.parse(realAt),
    cause: toCause(path, status),
    title: `${method} ${path} → ${describeAnswer(request)}`,
    tone: toRequestTone(request),
    sessionId,
    call: null,
    detail: request,
  };
}

/** Describes the response to a request: its status, and the injected fault. */
export function describeAnswer({ status, fault }: RequestResource): string {
  return fault === null ? `${status}` : `${status}, fault ${fault}`;
}

export function toRequestTone({ status, fault }: RequestResource): Tone {
  return status >= 400 || fault === 'malformed' ? 'bad' : 'neutral';
}

function toCause(path: string, status: number): Cause | null {
  if (status >= 400) return null;
  switch (path.slice(path.lastIndexOf('/') + 1)) {
    case 'create':
      return 'create';
    case 'validate':
      return 'validate';
    case 'submit':
    case 'outcome':
    case 'cancel':
      return 'settle';
    default:
      return null;
  }
}

/** What the converters of the service's items state about an entry. The rest has usual values. */
type Stated = Pick<Entry, 'id' | 'kind' | 'title' | 'detail'> &
  Partial<Pick<Entry, 'tone' | 'sessionId' | 'cause'>> & { readonly at: string };

function toServiceEntry({ at, ...stated }: Stated): Entry {
  return {
    atMs: Date.parse(at),
    realMs: null,
    cause: null,
    tone: 'neutral',
    sessionId: null,
    call: null,
    ...stated,
  };
}

/** Returns a function that makes an entry about the session. */
const about =
  (session: SessionResource) =>
  (key: string, stated: Pick<Stated, 'at' | 'title' | 'tone' | 'cause'>): Entry =>
    toServiceEntry({
      id: `session:${session.id}:${key}`,
      kind: 'session',
      sessionId: session.id,
      detail: session,
      ...stated,
    });

/**
 * Returns the entries for a session's creation, the steps of the shopper, its result and its validation, as
 * far as they have happened.
 */
export function toSessionEntries(session: SessionResource): Entry[] {
  const { createdAt, settledAt, validatedAt, status, reason } = session;
  const { verificationMode, challengeAge } = session;
  const entry = about(session);
  const why = reason === null || reason === status ? '' : ` (${reason})`;
  const entries = [
    entry('created', {
      at: createdAt,
      cause: 'create',
      title: `Session pending: ${verificationMode}, challenge age ${challengeAge}`,
    }),
    ...session.steps.map(({ at, kind, device }, index) =>
      entry(`${kind}:${at}:${index}`, { at, ...STEPS[kind](device) }),
    ),
  ];
  if (settledAt !== null) {
    const title = `Session pending → ${status}${why}`;
    entries.push(
      entry('settled', { at: settledAt, title, tone: STATUS_TONES[status], cause: 'settle' }),
    );
  }
  if (validatedAt !== null) {
    const title = `Session ${status} → validated: result collected`;
    entries.push(entry('validated', { at: validatedAt, title, tone: 'accent', cause: 'validate' }));
  }
  return entries;
}

type Step = SessionResource['steps'][number];

const STEPS: {
  readonly [K in Step['kind']]: (device: Step['device']) => Pick<Stated, 'title' | 'tone'>;
} = {
  image_refused: () => ({ title: 'Image not usable: the shopper can retry', tone: 'warn' }),
  retried: () => ({ title: 'Retry in the same session' }),
  continued: (device) => ({ title: `Continued on the ${device} device` }),
};

/** Returns the request that causes the events of a kind. A timeout has none. */
function toEventCause(event: EventResource['event']): Cause | null {
  if (event === 'session.started') return 'create';
  return event === 'session.timeout' ? null : 'settle';
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
    cause: toEventCause(event.event),
    detail: event,
  });
}

/** An attempt to deliver an event, and the delivery to which it belongs. */
export interface AttemptDetail {
  readonly attempt: Attempt;
  readonly delivery: Omit<DeliveryResource, 'attempts'>;
}

type Attempt = DeliveryResource['attempts'][number];

/** Describes the result of an attempt to deliver an event. Null for an attempt in progress. */
export function describeResult({ outcome, httpStatus, error }: Attempt): string | null {
  if (httpStatus !== null) return `${httpStatus}`;
  if (error !== null) return error === 'connect' ? 'could not connect' : error;
  return outcome === 'lost' ? 'lost' : null;
}

/** Names the fault that was injected into an attempt, after its result. Empty if there was none. */
export function describeFault({ fault }: Attempt): string {
  return fault === null ? '' : `, fault ${fault}`;
}

/** Says what a refused webhook probably means. Null for an attempt with another result. */
export function explainRefusal({ httpStatus, signature, fault }: Attempt): string | null {
  const isRefused = httpStatus === 401 || httpStatus === 403;
  if (!isRefused || fault !== null) return null;
  return signature === null
    ? 'Your server refused it: this endpoint has no secret, so the webhook is not signed'
    : "Your server refused it: is the signature checked with this endpoint's secret?";
}

export function toAttemptTone({ outcome }: Attempt): Tone {
  return outcome === null ? 'neutral' : OUTCOME_TONES[outcome];
}

const OUTCOME_TONES = { ok: 'good', reject: 'bad', fail: 'bad', lost: 'bad' } as const;

/** Returns one entry per attempt, and another one if the event was recorded as not delivered. */
export function toDeliveryEntries({ attempts, ...delivery }: DeliveryResource): Entry[] {
  const { id, event, sessionId, undeliveredAt, reason } = delivery;
  const place = delivery.url.replace(/^https?:\/\//, '');
  const entries = attempts.map((attempt) => {
    const detail: AttemptDetail = { attempt, delivery };
    const { n, startedAt } = attempt;
    const result = describeResult(attempt) ?? '…';
    return toServiceEntry({
      id: `delivery:${id}:${n}`,
      kind: 'delivery',
      at: startedAt,
      title: `${event}, attempt ${n} → ${result}${describeFault(attempt)} · ${place}`,
      tone: toAttemptTone(attempt),
      sessionId,
      cause: toEventCause(event),
      detail,
    });
  });
  if (undeliveredAt !== null) {
    const why = reason === null ? '' : `: ${describeReason(reason)}`;
    entries.push(
      toServiceEntry({
        id: `delivery:${id}:undelivered:${undeliveredAt}`,
        kind: 'delivery',
        at: undeliveredAt,
        title: `${event} ${DELIVERY_WORDS.undelivered}${why} · ${place}`,
        tone: 'bad',
        sessionId,
        detail: { delivery, attempts },
      }),
    );
  }
  return entries;
}

/** The part of a kind before the dot, such as `clock`. */
type SubjectOf<Kind> = Kind extends `${infer Subject}.${string}` ? Subject : never;

const CHANGE_TONES: { readonly [K in ChangeKind]?: Tone } = {
  'endpoint.paused': 'bad',
  'endpoint.resumed': 'good',
  'fault.added': 'warn',
};

export function toChangeEntry(change: ChangeResource): Entry {
  const { id, kind, at, realAt } = change;
  return {
    // The ids of changes restart at 1 after a reset, so the id alone is not unique.
    id: `change:${realAt}:${id}`,
    kind: kind.slice(0, kind.indexOf('.')) as SubjectOf<ChangeKind>,
    atMs: Date.parse(at),
    realMs: Date.parse(realAt),
    cause: null,
    no: id,
    title: describeChange(change, toDuration),
    tone: CHANGE_TONES[kind] ?? 'neutral',
    sessionId: null,
    call: null,
    detail: change,
  };
}
