import type { ObservationRow, RequestRow } from './capped-tables.ts';
import type { FaultRow } from './fault-rows.ts';
import type { QueueRule } from './queues.ts';
import type {
  EndpointRow,
  EndpointHealthRow,
  NoticeRow,
  EmailRow,
  EventRow,
  DeliveryRow,
  AttemptRow,
} from './webhook-rows.ts';

export type { ObservationRow, RequestRow } from './capped-tables.ts';
export type { DeliveryPolicy, EventKind } from './event-kinds.ts';
export type * from './webhook-rows.ts';
export type { ApiFaultRow, FaultRow, WebhookFaultRow } from './fault-rows.ts';

// The rows of every table. Times are integer milliseconds since the epoch. Rows are immutable: a change puts
// a new object, so that a rollback can restore the old one.

/** `L1` estimates the age from a picture of the face. `L2` reads an ID document. */
export type VerificationMode = 'L1' | 'L2';
/**
 * A device with the hosted page open: the one on which the session started, or the one that scanned its QR
 * code.
 */
export type Device = 'first' | 'second';
export type SessionStatus = 'PENDING' | 'VERIFIED' | 'FAILED' | 'CANCELLED' | 'EXPIRED';

/** The requirements of an account's age check. */
export interface Policy {
  readonly verificationMode: VerificationMode;
  /** The age threshold in years, 25 to 99. */
  readonly challengeAge: number;
  readonly faceMatchEnabled: boolean;
}

/** The reason why an account's plan allows no further verification. */
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
  /** Maximum number of requests in 60 seconds. */
  readonly rateLimits: { readonly create: number; readonly validate: number };
  readonly members: readonly Member[];
  /** Maximum number of attempts for each timeout delivery, 1 to 10. */
  readonly timeoutAttempts: number;
}

/** A person with access to the account. Owners and admins get its emails. */
export interface Member {
  readonly email: string;
  readonly role: 'owner' | 'admin' | 'developer';
}

export interface KeyRow {
  readonly id: string;
  readonly tenantId: string;
  readonly pairId: string;
  readonly kind: 'publishable' | 'secret';
  /**
   * The key itself, `pk_…` or `sk_…`. The mock can show it again. A real service would store only a hash.
   */
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
  /** Time at which the session left PENDING. */
  readonly settledAtMs: number | null;
  /** Time at which validate consumed the session. */
  readonly validatedAtMs: number | null;
  /** The reason for failure or cancellation, as in webhooks, for example `age_not_met`. */
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
  /** The scenario that was chosen at creation. Null means that the hosted page decides. */
  readonly presetOutcome: string | null;
  /** Number of times that the shopper retried after an unusable image. */
  readonly retries: number;
  /** True if the last image was unusable and the shopper may take another one. */
  readonly needsRetry: boolean;
  /** The device on which the shopper continues. The other one shows the progress. */
  readonly activeDevice: Device;
  readonly openDevices: readonly Device[];
}

/** The scenarios of an account's next sessions, in order. The row's id is the account's id. */
export interface OutcomeQueueRow {
  readonly id: string;
  readonly scenarios: readonly string[];
}

/** One fixed window of a rate limit. The row's id is `tenant:operation`. */
export interface RateWindowRow {
  readonly id: string;
  readonly startedAtMs: number;
  readonly count: number;
}

/** A job for a point in time. The scheduler's agendas are derived from these rows. */
export interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly dueMs: number;
  /**
   * The id of the session or the lane that the job is for. The job `retain` stores the last session that
   * its pass has kept.
   */
  readonly ref: string;
  /**
   * The order among the jobs of the same instant. The smallest comes first, and jobs without a rank come
   * last. It is stored, so that the order survives a restart.
   */
  readonly rank?: number;
}

/** Kinds of internal jobs, which the clock does not report as due next. */
export const HOUSEKEEPING_JOBS: ReadonlySet<string> = new Set(['retain']);

/**
 * The difference between virtual and real time, shared by every process or tab that uses the log. The id of
 * the only row is `clock`.
 */
export interface ClockRow {
  readonly id: string;
  /** The instant at which time is stopped, or null while it runs. */
  readonly frozenAtMs: number | null;
  /**
   * Set while a clock move stops time: the real time at which time runs again. A process that dies during
   * the move therefore does not leave time frozen.
   */
  readonly heldUntilMs?: number;
  /** Virtual time minus real time, while time runs. */
  readonly offsetMs: number;
}

/** Values that are generated once per state, such as the key that signs session tokens. */
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

/**
 * The name of a table, in the changes that a `Log` stores. Written out, because `keyof Rows` would bring every
 * row into the published declarations.
 */
export type TableName =
  | 'tenants'
  | 'keys'
  | 'sessions'
  | 'outcomeQueues'
  | 'faults'
  | 'rateWindows'
  | 'endpoints'
  | 'endpointHealth'
  | 'notices'
  | 'emails'
  | 'events'
  | 'deliveries'
  | 'attempts'
  | 'jobs'
  | 'clock'
  | 'settings'
  | 'requests'
  | 'observations';

export const INDEXES = {
  tenants: [],
  keys: ['value', 'tenantId', 'pairId'],
  sessions: ['tenantId'],
  outcomeQueues: [],
  faults: [],
  rateWindows: [],
  endpoints: ['tenantId'],
  endpointHealth: ['endpointId'],
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

/** The queues of deliveries. The key is the lane, unless stated otherwise. */
export const QUEUES = {
  /** Deliveries without an attempt in their present retry schedule, oldest first. */
  untried: {
    key: (row) => (isWaiting(row) && !isRetry(row) ? row.lane : null),
    order: (row) => row.nextAtMs,
  },
  /** The same deliveries, newest first. */
  newest: {
    key: (row) => (isWaiting(row) && !isRetry(row) ? row.lane : null),
    order: (row) => -row.nextAtMs,
  },
  /** Deliveries whose next attempt is a retry. */
  retries: {
    key: (row) => (isWaiting(row) && isRetry(row) ? row.lane : null),
    order: (row) => row.nextAtMs,
  },
  /** All waiting deliveries, ordered by expiry. */
  deadlines: {
    key: (row) => (isWaiting(row) ? row.lane : null),
    order: (row) => row.deadlineAtMs,
  },
  /** All deliveries with a lease, including those that were ended during the request. */
  leases: {
    key: (row) => (row.leaseUntilMs === null ? null : row.lane),
    order: (row) => row.leaseUntilMs ?? 0,
  },
  /** Undelivered events. The key is the endpoint. */
  undelivered: {
    key: (row) => (row.status === 'undelivered' ? row.endpointId : null),
    order: (row) => row.createdAtMs,
  },
} as const satisfies Readonly<Record<string, QueueRule<DeliveryRow>>>;

export type QueueName = keyof typeof QUEUES;
