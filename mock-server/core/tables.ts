import type { ObservationRow, RequestRow } from './capped-tables.ts';
import type { DeliveryPolicy, EventKind } from './event-kinds.ts';
import type { FaultRow, WebhookFaultRow } from './fault-rows.ts';
import type { QueueRule } from './queues.ts';

export type { ObservationRow, RequestRow } from './capped-tables.ts';
export type { DeliveryPolicy, EventKind } from './event-kinds.ts';
export type { ApiFaultRow, FaultRow, WebhookFaultRow } from './fault-rows.ts';

/**
 * The rows of every table. Times are integer milliseconds since the epoch. A row is never changed in
 * place: a rule puts a new object, so that a failed transaction can put the old one back.
 */

export type VerificationMode = 'L1' | 'L2';
/** Where the hosted page is open: where the session began, or where its QR code was read. */
export type Device = 'first' | 'second';
export type SessionStatus = 'PENDING' | 'VERIFIED' | 'FAILED' | 'CANCELLED' | 'EXPIRED';

export interface Policy {
  readonly verificationMode: VerificationMode;
  /** Years, 25 to 99. */
  readonly challengeAge: number;
  readonly faceMatchEnabled: boolean;
}

export interface BillingBlock {
  readonly code: 'SUBSCRIPTION_REQUIRED' | 'PLAN_LIMIT_REACHED' | 'SANDBOX_LIMIT_REACHED';
  readonly message: string;
  readonly portalUrl?: string;
}

export interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly policy: Policy;
  /** Exact hosts, or `*.example.com` for its subdomains. */
  readonly allowedDomains: readonly string[];
  readonly sandboxMode: boolean;
  readonly billingBlock: BillingBlock | null;
  /** Requests per 60 s. */
  readonly rateLimits: { readonly create: number; readonly validate: number };
  readonly members: readonly Member[];
  /** How often a timeout event is tried, 1 to 10. */
  readonly timeoutAttempts: number;
}

/** Somebody who works with the account. Owners and admins get its e-mails. */
export interface Member {
  readonly email: string;
  readonly role: 'owner' | 'admin' | 'developer';
}

export interface KeyRow {
  readonly id: string;
  readonly tenantId: string;
  readonly pairId: string;
  readonly kind: 'publishable' | 'secret';
  /** The key itself, `pk_…` or `sk_…`. A mock shows it again on demand; a real provider would keep a hash. */
  readonly value: string;
  readonly status: 'active' | 'paused' | 'revoked';
  readonly createdAtMs: number;
}

export interface SessionRow {
  readonly id: string;
  readonly tenantId: string;
  readonly pairId: string;
  readonly status: SessionStatus;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** When it left PENDING. */
  readonly settledAtMs: number | null;
  /** When a validate consumed it. */
  readonly validatedAtMs: number | null;
  /** Why it failed or was cancelled, as webhooks report it, for example `age_not_met`. */
  readonly reason: string | null;
  readonly returnUrl: string;
  readonly cancelUrl: string | null;
  readonly merchantName: string | null;
  readonly externalUserId: string | null;
  readonly verificationMode: VerificationMode;
  readonly challengeAge: number;
  readonly faceMatchEnabled: boolean;
  readonly sandboxMode: boolean;
  readonly billingBlock: BillingBlock | null;
  /** The scenario that was chosen when it was created; null leaves it to the hosted page. */
  readonly presetOutcome: string | null;
  /** In-flow retries so far. */
  readonly retries: number;
  /** The last image was not usable, and another one may be taken. */
  readonly needsRetry: boolean;
  /** The device that the shopper goes on with; the other one follows along. */
  readonly activeDevice: Device;
  readonly openDevices: readonly Device[];
}

/** The scenarios that an account's next sessions take, in order; its id is the tenant's. */
export interface OutcomeQueueRow {
  readonly id: string;
  readonly scenarios: readonly string[];
}

/** One fixed window, keyed `tenant:operation`. */
export interface RateWindowRow {
  readonly id: string;
  readonly startedAtMs: number;
  readonly count: number;
}

export interface EndpointRow {
  readonly id: string;
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
}

/** The single webhook of older accounts; its id is the tenant's. */
export interface LegacyWebhookRow {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventKind[];
  readonly secret: string | null;
  readonly secretVersion: number;
  readonly createdAtMs: number;
}

/** How the deliveries of one lane went lately: see rules/lanes.ts. */
export interface EndpointHealthRow {
  /** The lane's id. */
  readonly id: string;
  /**
   * Since the last success, or since the address was changed or the endpoint resumed. Requests that were
   * under way together count once.
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
  readonly pausedAtMs: number | null;
  readonly pauseReason: PauseReason | null;
  readonly pauseNo: number;
  /** The lease of a test event under way. */
  readonly testToken: string | null;
  readonly testUntilMs: number | null;
}

export type PauseReason = 'rejecting' | 'failing';

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
  /** An endpoint's id; for the legacy webhook, its own, which is the tenant's. */
  readonly endpointId: string;
  /** Which deliveries it is paced with: see rules/lanes.ts. */
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

/** Something due at an instant; the scheduler's heap is made from these rows. */
export interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly dueMs: number;
  /** What it is about: a session's or a lane's id. */
  readonly ref: string;
  /**
   * Its place among the jobs of its instant: the least comes first, and those without a rank come last.
   * It is stored, so that the order is the same after a restart. Missing in what an earlier version wrote.
   */
  readonly rank?: number;
}

/** Kinds of jobs that nobody waits for: the clock does not name them as the next thing due. */
export const HOUSEKEEPING_JOBS: ReadonlySet<string> = new Set(['retain']);

/** How virtual time differs from real time, shared by every holder of the log. The one row's id is `clock`. */
export interface ClockRow {
  readonly id: string;
  /** Where time stands still, or null while it runs. */
  readonly frozenAtMs: number | null;
  /**
   * When time stands still only because somebody is moving it: the real time after which it runs on, so
   * that a holder that dies on the way does not leave it frozen.
   */
  readonly heldUntilMs?: number;
  /** Added to real time while it runs. */
  readonly offsetMs: number;
}

/** Values made once per state, such as the key that signs session tokens. */
export interface SettingRow {
  readonly id: string;
  readonly value: string;
}

export interface Rows {
  tenants: TenantRow;
  keys: KeyRow;
  sessions: SessionRow;
  outcomeQueues: OutcomeQueueRow;
  faults: FaultRow;
  rateWindows: RateWindowRow;
  endpoints: EndpointRow;
  legacyWebhooks: LegacyWebhookRow;
  endpointHealth: EndpointHealthRow;
  notices: NoticeRow;
  emails: EmailRow;
  events: EventRow;
  deliveries: DeliveryRow;
  attempts: AttemptRow;
  jobs: JobRow;
  clock: ClockRow;
  settings: SettingRow;
  requests: RequestRow;
  observations: ObservationRow;
}

export type TableName = keyof Rows;

/** Which columns can be looked up without a scan. */
export const INDEXES = {
  tenants: [],
  keys: ['value', 'tenantId', 'pairId'],
  sessions: ['tenantId'],
  outcomeQueues: [],
  faults: [],
  rateWindows: [],
  endpoints: ['tenantId'],
  legacyWebhooks: [],
  endpointHealth: [],
  notices: ['endpointId'],
  emails: [],
  events: ['tenantId', 'sessionId'],
  deliveries: ['eventId', 'endpointId'],
  attempts: ['deliveryId'],
  jobs: [],
  clock: [],
  settings: [],
  requests: ['sessionId'],
  observations: ['sessionId'],
} as const satisfies { readonly [T in TableName]: readonly (keyof Rows[T])[] };

export type IndexOf<T extends TableName> = (typeof INDEXES)[T][number];

const isWaiting = (row: DeliveryRow): boolean =>
  row.status === 'pending' && row.leaseUntilMs === null;
const isRetry = (row: DeliveryRow): boolean => row.attempts > row.baseAttempts;

/** Lines of deliveries, by lane unless they say otherwise. */
export const QUEUES = {
  /** Never tried, those of inline events apart. */
  fresh: {
    key: (row) => (isWaiting(row) && row.policy !== 'inline' && !isRetry(row) ? row.lane : null),
    order: (row) => row.nextAtMs,
  },
  /** Tried before, those of inline events apart. */
  retries: {
    key: (row) => (isWaiting(row) && row.policy !== 'inline' && isRetry(row) ? row.lane : null),
    order: (row) => row.nextAtMs,
  },
  inline: {
    key: (row) => (isWaiting(row) && row.policy === 'inline' ? row.lane : null),
    order: (row) => row.nextAtMs,
  },
  /** All that wait, by when they are given up. */
  deadlines: {
    key: (row) => (isWaiting(row) ? row.lane : null),
    order: (row) => row.deadlineAtMs,
  },
  /** With a request under way, whatever has been decided about them meanwhile. */
  leases: {
    key: (row) => (row.leaseUntilMs === null ? null : row.lane),
    order: (row) => row.leaseUntilMs ?? 0,
  },
  /** Those of them whose request is not the first. */
  retrying: {
    key: (row) =>
      row.leaseUntilMs !== null && row.policy !== 'inline' && row.attempts > row.baseAttempts + 1
        ? row.lane
        : null,
    order: (row) => row.leaseUntilMs ?? 0,
  },
  /** By endpoint. */
  undelivered: {
    key: (row) => (row.status === 'undelivered' ? row.endpointId : null),
    order: (row) => row.createdAtMs,
  },
} as const satisfies Readonly<Record<string, QueueRule<DeliveryRow>>>;

export type QueueName = keyof typeof QUEUES;
