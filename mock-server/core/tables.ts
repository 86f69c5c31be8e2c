import type { ObservationRow, RequestRow } from './capped-tables.ts';
import type { FaultRow } from './fault-rows.ts';
import type { QueueRule } from './queues.ts';
import type { RecordedStepRow, RecordingRow } from './recording-rows.ts';
import type {
  EndpointRow,
  EarlierLegacyRow,
  EndpointHealthRow,
  NoticeRow,
  EmailRow,
  EventRow,
  DeliveryRow,
  AttemptRow,
} from './webhook-rows.ts';

export type { ObservationRow, RequestRow } from './capped-tables.ts';
export type { DeliveryPolicy, EventKind } from './event-kinds.ts';
export type * from './recording-rows.ts';
export type * from './webhook-rows.ts';
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
  /** Empty once the state has been taken over from an earlier version. */
  legacyWebhooks: EarlierLegacyRow;
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
  recordings: RecordingRow;
  recordedSteps: RecordedStepRow;
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
  recordings: [],
  recordedSteps: [],
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
