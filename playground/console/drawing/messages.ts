import type {
  DeliveryResource,
  EventResource,
  ReportResource,
  RequestResource,
  SessionResource,
} from 'ofage-mock';
import { describeReport } from 'ofage-mock/client';
import { DELIVERY_WORDS } from '../../../mock-server/words/states.ts';
import { describeReason } from '../../shared/console/describe-reason.ts';
import { STATUS_TONES } from '../../shared/console/tones.ts';
import { toRoughDuration } from '../../shared/duration.ts';
import type { Tone } from '../../shared/kit/chip.tsx';
import {
  describeAnswer,
  describeFault,
  describeResult,
  explainRefusal,
  toAttemptTone,
  toReportTone,
  toRequestTone,
} from '../timeline/to-entries.ts';

/** Who takes part in an age check, in the order of the columns. */
export const LANES = {
  page: 'Your page',
  hosted: 'Hosted page',
  service: 'Service',
  server: 'Your server',
  webhook: 'Your webhook',
} as const;
export type Lane = keyof typeof LANES;

/** One arrow of the drawing: what one lane sent to another, or did by itself. */
export interface Message {
  readonly id: string;
  /** The time on the service's clock. Null for what may still happen. */
  readonly atMs: number | null;
  readonly from: Lane;
  /** The same as `from` for something that a lane did by itself. */
  readonly to: Lane;
  readonly text: string;
  readonly tone: Tone;
  /** True for what should have happened, or should follow. */
  readonly isMissing: boolean;
  /** The endpoint in which the cause may be found, or null. */
  readonly endpointId: string | null;
}

/** What the service has stored about one verification. */
export interface Stored {
  /** Null if it has created no session, for example because the window was blocked. */
  readonly session: SessionResource | null;
  readonly requests: readonly RequestResource[];
  readonly events: readonly EventResource[];
  readonly deliveries: readonly DeliveryResource[];
  readonly reports: readonly ReportResource[];
}

/**
 * Returns the messages of one verification in the order of time, and after them what is missing.
 * @param nowMs The time on the service's clock
 */
export function toMessages(stored: Stored, nowMs: number): Message[] {
  const { session, requests, deliveries, reports } = stored;
  // With a frozen clock, many messages have the same time. Calls also have a real
  // time.
  const calls = [...reports.toReversed(), ...requests.toReversed()].toSorted(byRealTime);
  const happened = [
    ...calls.flatMap(toCallMessage),
    ...(session === null ? [] : toExpiry(session)),
    ...deliveries.flatMap((delivery) => [...toAttempts(delivery), ...toEnd(delivery)]),
  ];
  const inOrder = happened.toSorted((a, b) => Number(a.atMs) - Number(b.atMs));
  return [...inOrder, ...toMissing(stored, nowMs)];
}

const byRealTime = (a: { readonly realAt: string }, b: { readonly realAt: string }): number =>
  Date.parse(a.realAt) - Date.parse(b.realAt);

const toCallMessage = (call: ReportResource | RequestResource): Message[] =>
  'operation' in call ? toRequestMessage(call) : toReportMessage(call);

type Facts = Pick<Message, 'id' | 'from' | 'to' | 'text'> &
  Partial<Pick<Message, 'tone' | 'endpointId'>>;

function at(time: string, facts: Facts): Message {
  return {
    tone: 'neutral',
    endpointId: null,
    ...facts,
    atMs: Date.parse(time),
    isMissing: false,
  };
}

function missing(facts: Facts): Message {
  return { tone: 'warn', endpointId: null, ...facts, atMs: null, isMissing: true };
}

/** Leaves out what happens on every page and says nothing about this check. */
const UNINTERESTING: readonly ReportResource['kind'][] = [
  'page.shown',
  'page.left',
  'page.hidden',
  'page.visible',
  'sdk.created',
  'session.created',
];

function toReportMessage(report: ReportResource): Message[] {
  const { id, at: time, kind, facts } = report;
  const isPresence = kind === 'message.received' && facts.present !== undefined;
  if (UNINTERESTING.includes(kind) || isPresence) return [];
  // The hosted page speaks to the shop's page by a window message or by the address to which it returns.
  const isFromHosted = kind === 'message.received' || kind === 'return.read';
  return [
    at(time, {
      id: `report:${id}`,
      from: isFromHosted ? 'hosted' : 'page',
      to: kind === 'window.opened' && facts.isOpen === true ? 'hosted' : 'page',
      text: describeReport(report),
      tone: toReportTone(report),
    }),
  ];
}

/** The hosted page reads its session again at each load, which says nothing about this check. */
const isRoutine = ({ operation, method, status }: RequestResource): boolean =>
  operation === 'hosted' && status < 400 && method === 'GET';

function toRequestMessage(request: RequestResource): Message[] {
  if (isRoutine(request)) return [];
  const { id, realAt, at: time, method, path } = request;
  return [
    at(time, {
      id: `request:${realAt}:${id}`,
      from: toSender(request),
      to: 'service',
      text: `${method} ${path.slice(path.lastIndexOf('/') + 1)} → ${describeAnswer(request)}`,
      tone: toRequestTone(request),
    }),
  ];
}

function toSender({ operation, isBrowser, origin }: RequestResource): Lane {
  if (operation === 'hosted') return 'hosted';
  return isBrowser || origin !== null ? 'page' : 'server';
}

/** A timeout has no request that causes it. */
function toExpiry({ status, settledAt }: SessionResource): Message[] {
  if (status !== 'expired' || settledAt === null) return [];
  const text = 'Session expired';
  return [at(settledAt, { id: 'expired', from: 'service', to: 'service', text, tone: 'warn' })];
}

function toAttempts({ id, event, endpointId, attempts }: DeliveryResource): Message[] {
  return attempts.map((attempt) => {
    const { n, startedAt } = attempt;
    const result = describeResult(attempt) ?? 'no response yet';
    const refusal = explainRefusal(attempt);
    return at(startedAt, {
      id: `attempt:${id}:${n}`,
      from: 'service',
      to: 'webhook',
      text: `${event}${n > 1 ? `, attempt ${n}` : ''} → ${result}${describeFault(attempt)}${refusal === null ? '' : `. ${refusal}`}`,
      tone: toAttemptTone(attempt),
      endpointId: refusal === null ? null : endpointId,
    });
  });
}

/** Returns the end of a delivery that did not reach the server. */
function toEnd({ id, event, reason, undeliveredAt }: DeliveryResource): Message[] {
  if (undeliveredAt === null) return [];
  const why = reason === null ? '' : `: ${describeReason(reason)}`;
  const end = at(undeliveredAt, {
    id: `undelivered:${id}`,
    from: 'service',
    to: 'webhook',
    text: `${event} ${DELIVERY_WORDS.undelivered}${why}`,
    tone: STATUS_TONES.failed,
  });
  return [{ ...end, isMissing: true }];
}

/** Returns what should follow and has not happened. */
function toMissing({ session, events, deliveries, reports }: Stored, nowMs: number): Message[] {
  if (session === null) return [toMissingSession(reports)];
  return [
    ...toMissingResult(session, nowMs),
    ...toMissingAsk(session, nowMs),
    ...toMissingEndpoint(events, deliveries),
    ...deliveries.flatMap((delivery) => toMissingDelivery(delivery, nowMs)),
  ];
}

function toMissingSession(reports: Stored['reports']): Message {
  const hasEnded = reports.some(
    ({ kind }) => kind === 'verify.rejected' || kind === 'verify.resolved',
  );
  const text = hasEnded ? 'No session was created' : 'No session has been created yet';
  const tone = hasEnded ? 'bad' : 'warn';
  return missing({ id: 'no session', from: 'page', to: 'service', text, tone });
}

function toMissingResult({ status, expiresAt }: SessionResource, nowMs: number): Message[] {
  const leftMs = Date.parse(expiresAt) - nowMs;
  if (status !== 'pending' || leftMs <= 0) return [];
  const text = `The shopper has not finished, ${toRoughDuration(leftMs)} left`;
  return [missing({ id: 'no result', from: 'hosted', to: 'service', text, tone: 'neutral' })];
}

/** Only a pass has to be asked for, because only a pass opens something. */
function toMissingAsk(session: SessionResource, nowMs: number): Message[] {
  const { status, validatedAt, expiresAt } = session;
  if (status !== 'verified' || validatedAt !== null) return [];
  const isLate = nowMs >= Date.parse(expiresAt);
  const text = isLate
    ? 'Your server has not asked for the result, and now it is too late'
    : 'Your server has not asked for the result';
  return [missing({ id: 'no ask', from: 'server', to: 'service', text, tone: 'bad' })];
}

function toMissingEndpoint(
  events: readonly EventResource[],
  deliveries: readonly DeliveryResource[],
): Message[] {
  if (!events.some(isOutcome) || deliveries.some(isOutcome)) return [];
  const text = 'No webhook: no endpoint wants this event';
  return [missing({ id: 'no endpoint', from: 'service', to: 'webhook', text })];
}

function isOutcome({ event }: Pick<EventResource, 'event'>): boolean {
  return event !== 'session.started';
}

function toMissingDelivery(delivery: DeliveryResource, nowMs: number): Message[] {
  const { id, event, status, attempts } = delivery;
  const isInFlight = attempts.at(-1)?.finishedAt === null;
  if (status !== 'pending' || isInFlight) return [];
  const text = `${event}${describeNextAttempt(delivery, nowMs)}`;
  return [missing({ id: `missing:${id}`, from: 'service', to: 'webhook', text })];
}

function describeNextAttempt(
  { attempts, nextAttemptAt, waitsFor }: DeliveryResource,
  nowMs: number,
): string {
  if (nextAttemptAt === null) return ' waits: webhooks are held until they are released';
  const leftMs = Date.parse(nextAttemptAt) - nowMs;
  const attempt = `${attempts.length === 0 ? 'first' : 'next'} try`;
  if (leftMs < 1_000) return `: ${attempt} is due`;
  const left = toRoughDuration(leftMs);
  switch (waitsFor) {
    case 'failures':
      return ` waits: the endpoint failed before, ${attempt} in about ${left}`;
    case 'retry_after':
      return ` waits: your server asked for a pause, ${attempt} in about ${left}`;
    default:
      return `: ${attempt} in ${left}`;
  }
}
