/** The kinds of events that webhooks report. */
export type EventKind =
  | 'session.started'
  | 'verification.completed'
  | 'verification.failed'
  | 'verification.cancelled'
  | 'session.timeout';

/**
 * The retry policy of a delivery. `inline`: at most three attempts within a few seconds. `durable`: retries
 * with backoff for 24 hours. `timeout`: at most three attempts by default, with growing delays on a
 * five-second grid.
 */
export type DeliveryPolicy = 'durable' | 'timeout' | 'inline';

/** The properties that all events of one kind share. */
interface EventRule {
  readonly summary: string;
  readonly delivery: DeliveryPolicy;
  /** The session status that the event reports. Null for `session.started`. */
  readonly status: 'VERIFIED' | 'FAILED' | 'CANCELLED' | 'EXPIRED' | null;
  /** The scenario that leads to the event most directly. */
  readonly scenario: string;
}

/**
 * Every kind of event, in the order of a session's life. To add a kind, add it here, to `EventKind` and to
 * the payloads.
 */
export const EVENT_RULES = {
  'session.started': {
    summary: 'A session was created',
    delivery: 'inline',
    status: null,
    scenario: 'never',
  },
  'verification.completed': {
    summary: 'The shopper passed the verification',
    delivery: 'durable',
    status: 'VERIFIED',
    scenario: 'verified',
  },
  'verification.failed': {
    summary: 'The shopper did not pass the verification',
    delivery: 'durable',
    status: 'FAILED',
    scenario: 'failed_age_not_met',
  },
  'verification.cancelled': {
    summary: 'The shopper closed or abandoned the verification',
    delivery: 'durable',
    status: 'CANCELLED',
    scenario: 'cancelled',
  },
  'session.timeout': {
    summary: 'The session expired before the shopper finished',
    delivery: 'timeout',
    status: 'EXPIRED',
    scenario: 'timeout',
  },
} as const satisfies Readonly<Record<EventKind, EventRule>>;

/**
 * The kinds of webhook events, in the order of a session's life.
 *
 * @example
 * ```ts
 * import { createControlClient, EVENT_KINDS } from 'ofage-mock/client';
 *
 * const mock = createControlClient();
 * for (const name of EVENT_KINDS) await mock.trigger({ name });
 * ```
 */
export const EVENT_KINDS: readonly EventKind[] = Object.keys(EVENT_RULES) as EventKind[];

/** Returns the kind of event that reports this session status. */
export function eventOf(status: Exclude<EventRule['status'], null>): EventKind {
  const kind = EVENT_KINDS.find((one) => EVENT_RULES[one].status === status);
  if (!kind) throw new Error(`No event reports the status ${status}`);
  return kind;
}
