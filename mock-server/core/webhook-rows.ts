import type { DeliveryPolicy, EventKind } from './event-kinds.ts';
import type { WebhookFaultRow } from './fault-rows.ts';

/** A webhook endpoint, or the single webhook of an older account. */
export interface EndpointRow {
  readonly id: string;
  /** Set on the single webhook, whose id is the account's. */
  readonly kind?: 'legacy';
  readonly tenantId: string;
  readonly url: string;
  readonly events: readonly EventKind[];
  /** Signs every delivery; null means unsigned. */
  readonly secret: string | null;
  readonly secretVersion: number;
  /** Scopes the endpoint to one key pair; null is account-wide. */
  readonly pairId: string | null;
  readonly enabled: boolean;
  readonly createdAtMs: number;
  /** Null while events go out. */
  readonly pause: Pause | null;
}

/** An endpoint that failed for too long gets nothing until a test succeeds. */
export interface Pause {
  readonly atMs: number;
  readonly reason: PauseReason;
}

export type PauseReason = 'rejecting' | 'failing';

/** The legacy webhook as an earlier version wrote it: see webhooks/earlier-state.ts. */
export type EarlierLegacyRow = Pick<
  EndpointRow,
  'id' | 'url' | 'events' | 'secret' | 'secretVersion' | 'createdAtMs'
>;

/** How the deliveries of an endpoint to one address went lately: see webhooks/lanes.ts. */
export interface EndpointHealthRow {
  /** The lane's id. */
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  /**
   * Since the last success, or since the endpoint took the address or was resumed. Requests that were under
   * way together count once.
   */
  readonly consecutiveFailures: number;
  /** The same with each request counted. Missing in what an earlier version wrote. */
  readonly failedRequests?: number;
  /**
   * Lease tokens of the requests that were under way when a failure was last counted: if they fail, too, it
   * is the same failure. Missing in what an earlier version wrote.
   */
  readonly wave?: readonly string[];
  readonly failingSinceMs: number | null;
  /** Since when every failure has been a rejection. */
  readonly rejectingSinceMs: number | null;
  readonly lastFailureAtMs: number | null;
  readonly lastSuccessAtMs: number | null;
  /** Whether the last request, tests included, was a success. */
  readonly isLastSuccess: boolean | null;
  /** No retry starts before this; nothing at all while the endpoint keeps failing. */
  readonly gateAtMs: number | null;
  /** Nothing starts before this: the receiver's `Retry-After`. */
  readonly holdUntilMs: number | null;
  /** How many requests may be in flight while healthy. */
  readonly ramp: number;
  /** The lease of a test event under way. */
  readonly testToken: string | null;
  readonly testUntilMs: number | null;
}

/** A health as an earlier version wrote it, with the pause of the endpoint: see webhooks/earlier-state.ts. */
export interface EarlierHealthRow extends Omit<EndpointHealthRow, 'endpointId' | 'url'> {
  readonly pausedAtMs: number | null;
  readonly pauseReason: PauseReason | null;
  readonly pauseNo: number;
}

/** What the dashboard shows about a pause; its id is the endpoint's with the number of the pause. */
export interface NoticeRow {
  readonly id: string;
  readonly tenantId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly reason: PauseReason;
  readonly text: string;
  readonly createdAtMs: number;
}

/** The outbox. A mock sends no mail: this is where it can be read. The id is that of its notice. */
export interface EmailRow {
  readonly id: string;
  readonly tenantId: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly createdAtMs: number;
}

export interface EventRow {
  /** The `eventId` of completion and timeout payloads. */
  readonly id: string;
  readonly tenantId: string;
  readonly sessionId: string;
  readonly pairId: string;
  readonly kind: EventKind;
  readonly createdAtMs: number;
  /** The payload's text, serialised once and never made again; null until the first send of an inline event. */
  readonly body: string | null;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'undelivered' | 'cancelled';

export interface DeliveryRow {
  readonly id: string;
  readonly eventId: string;
  readonly tenantId: string;
  readonly endpointId: string;
  /** Which deliveries it is paced with: see webhooks/lanes.ts. */
  readonly lane: string;
  /** Snapshot: editing the endpoint does not redirect a queued event. */
  readonly url: string;
  readonly policy: DeliveryPolicy;
  readonly status: DeliveryStatus;
  /** How many were begun. */
  readonly attempts: number;
  /** How many of those the schedule does not count: lost ones, and all before a redelivery. */
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
  /** What went wrong when there was no status, for example `timeout`. */
  readonly error: string | null;
  readonly retryAfterMs: number | null;
  readonly durationMs: number | null;
  readonly address: string | null;
  readonly hops: number;
  /** Of the bytes that were sent; known once the attempt has finished. */
  readonly bodySha256: string | null;
  /** The header as it was sent; null for an unsigned body. Missing in what an earlier version wrote. */
  readonly signature?: string | null;
  readonly signedWithSecretVersion: number | null;
  /** What was asked to go wrong with it. */
  readonly fault?: WebhookFaultRow['fault'];
}
