import type { DeliveryPolicy, EventKind } from './event-kinds.ts';
import type { WebhookFaultRow } from './fault-rows.ts';

/** A webhook endpoint, or the legacy webhook of an account. */
export interface EndpointRow {
  readonly id: string;
  /** Set on a legacy webhook. Its id is the account's id, because an account has at most one. */
  readonly kind?: 'legacy';
  readonly tenantId: string;
  readonly url: string;
  readonly events: readonly EventKind[];
  /** The secret that signs every delivery. If null, deliveries are not signed. */
  readonly secret: string | null;
  readonly secretVersion: number;
  /** Limits the endpoint to sessions of this key pair. Null means the whole account. */
  readonly pairId: string | null;
  readonly enabled: boolean;
  readonly createdAtMs: number;
  /** Null unless the endpoint is paused. */
  readonly pause: Pause | null;
}

/**
 * The pause of an endpoint that rejected requests or failed for too long. The endpoint gets no events until
 * it is resumed.
 */
export interface Pause {
  readonly atMs: number;
  readonly reason: PauseReason;
}

/**
 * The reason for an automatic pause: the receiver rejected every request for an hour, or failed for 24
 * hours.
 */
export type PauseReason = 'rejecting' | 'failing';

/** The health of one lane: an endpoint at one address. See rules/lanes.ts. */
export interface EndpointHealthRow {
  /** The lane's id. */
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  /**
   * Number of failed requests since the last success, or since the endpoint got the address or was resumed.
   */
  readonly consecutiveFailures: number;
  /** Time of the first of these failures. */
  readonly failingSinceMs: number | null;
  /** The start of an unbroken run of rejections. */
  readonly rejectingSinceMs: number | null;
  readonly lastFailureAtMs: number | null;
  readonly lastSuccessAtMs: number | null;
  /** True if the last request, tests included, succeeded. Null before the first. */
  readonly isLastSuccess: boolean | null;
  /**
   * The earliest start of any attempt, from the receiver's `Retry-After`. Test events do not wait for it.
   */
  readonly holdUntilMs: number | null;
  /** The token of the lease of a test event in flight. */
  readonly testToken: string | null;
  readonly testUntilMs: number | null;
}

/**
 * The text that the dashboard shows about a pause. Its id is the endpoint's id and the number of the pause.
 */
export interface NoticeRow {
  readonly id: string;
  readonly tenantId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly reason: PauseReason;
  readonly text: string;
  readonly createdAtMs: number;
}

/** An email in the outbox. The mock sends no mail. Its id is the id of the notice. */
export interface EmailRow {
  readonly id: string;
  readonly tenantId: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly createdAtMs: number;
}

export interface EventRow {
  /** The `eventId` in the payload. `session.started` payloads do not contain it. */
  readonly id: string;
  readonly tenantId: string;
  readonly sessionId: string;
  readonly pairId: string;
  readonly kind: EventKind;
  readonly createdAtMs: number;
  /** The payload's text, serialised once. Null until the first send of an inline event. */
  readonly body: string | null;
}

/** The state of a delivery. Only events that are `undelivered` can be redelivered. */
export type DeliveryStatus = 'pending' | 'delivered' | 'undelivered' | 'cancelled';

export interface DeliveryRow {
  readonly id: string;
  readonly eventId: string;
  readonly tenantId: string;
  readonly endpointId: string;
  /** The id of its lane. See rules/lanes.ts. */
  readonly lane: string;
  /** A copy of the endpoint's address, because a later change must not redirect a queued event. */
  readonly url: string;
  readonly policy: DeliveryPolicy;
  readonly status: DeliveryStatus;
  /** Number of attempts that were started. */
  readonly attempts: number;
  /** Number of attempts that do not count in the retry schedule: lost ones, and all before a redelivery. */
  readonly baseAttempts: number;
  readonly nextAtMs: number;
  readonly deadlineAtMs: number;
  readonly leaseUntilMs: number | null;
  readonly leaseToken: string | null;
  readonly createdAtMs: number;
  readonly deliveredAtMs: number | null;
  readonly undeliveredAtMs: number | null;
  readonly reason: string | null;
  readonly redeliveryNo: number;
}

export interface AttemptRow {
  readonly id: string;
  readonly deliveryId: string;
  readonly n: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
  readonly outcome: 'ok' | 'reject' | 'fail' | 'lost' | null;
  readonly httpStatus: number | null;
  /** The error if there was no final response, for example `timeout`. */
  readonly error: string | null;
  readonly retryAfterMs: number | null;
  readonly durationMs: number | null;
  readonly address: string | null;
  readonly hops: number;
  /** The hash of the request body. Null unless the attempt's result is known. */
  readonly bodySha256: string | null;
  /**
   * The signature header. Null for an unsigned body. Absent if the attempt's result is not known.
   */
  readonly signature?: string | null;
  readonly signedWithSecretVersion: number | null;
  /** The injected fault, if any. */
  readonly fault?: WebhookFaultRow['fault'];
}
