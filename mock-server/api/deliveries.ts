import type { DeliveryPolicy, EventKind } from '../store/event-kinds.ts';
import type { DeliveryStatus, WebhookFault } from '../store/rows.ts';

/** An event of a session, with the body of its webhooks. */
export interface EventResource {
  /** The id, which is the `eventId` in payloads that have one. */
  id: string;
  tenantId: string;
  sessionId: string;
  event: EventKind;
  createdAt: string;
  /**
   * The exact text of the payload. Null for a `session.started` with deliveries of which none has been
   * sent.
   */
  body: string | null;
}

/**
 * What makes a delivery wait: the endpoint has failed several times in a row, its last response asked for a
 * pause with `Retry-After`, or webhooks are held until they are released.
 */
export type DeliveryWait = 'failures' | 'retry_after' | 'release';

/** One event on its way to one endpoint, with its attempts. */
export interface DeliveryResource {
  id: string;
  eventId: string;
  event: EventKind;
  tenantId: string;
  sessionId: string;
  /** Null for the legacy webhook. */
  endpointId: string | null;
  url: string;
  policy: DeliveryPolicy;
  status: DeliveryStatus;
  reason: string | null;
  createdAt: string;
  /**
   * Earliest start of the next attempt. Other deliveries to the endpoint may come first. Null during an
   * attempt, while webhooks are held, and once the delivery has ended.
   */
  nextAttemptAt: string | null;
  /** What the next attempt waits for, other than its own schedule. Null if it waits for nothing else. */
  waitsFor: DeliveryWait | null;
  /** Number of times this delivery was redelivered on request. */
  redeliveries: number;
  deliveredAt: string | null;
  undeliveredAt: string | null;
  attempts: AttemptResource[];
}

/** One request of a delivery, with its result. */
export interface AttemptResource {
  n: number;
  startedAt: string;
  finishedAt: string | null;
  outcome: 'ok' | 'reject' | 'fail' | 'lost' | null;
  httpStatus: number | null;
  error: string | null;
  retryAfterMs: number | null;
  durationMs: number | null;
  hops: number;
  bodySha256: string | null;
  /**
   * The value of `x-ofage-signature` in the request. Null if the request was unsigned, or if its result is
   * not known.
   */
  signature: string | null;
  /** The injected fault, or null if there was none. */
  fault: WebhookFault | null;
}

/** The events to list. An omitted field does not restrict the list, except `limit`. */
export interface EventFilter {
  tenantId?: string | undefined;
  sessionId?: string | undefined;
  /** Lists only items before the one with this id. */
  before?: string | undefined;
  /** Maximum number of items. The newest ones are returned. @default 100 */
  limit?: number | undefined;
}

/** The deliveries to list. An omitted field does not restrict the list, except `limit`. */
export interface DeliveryFilter extends EventFilter {
  endpointId?: string | undefined;
  status?: DeliveryStatus | undefined;
  event?: EventKind | undefined;
  /**
   * The beginning of the id of a delivery, of its event or of its session, or a part of the session's
   * `externalUserId`. Case and surrounding spaces are ignored.
   */
  text?: string | undefined;
}

/** The methods for the events of sessions and their deliveries. */
export interface DeliveryControl {
  /** Lists events, oldest first. */
  events(filter?: EventFilter): Promise<EventResource[]>;
  /** Lists deliveries with all their attempts, oldest first. */
  deliveries(filter?: DeliveryFilter): Promise<DeliveryResource[]>;
}
