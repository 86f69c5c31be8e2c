import type { ChangeRow } from './change-kinds.ts';
import type { ObservationRow } from './observations.ts';
import type { QueueRule } from './queues.ts';
import type { ReportRow } from './report-kinds.ts';
import type * as rows from './rows.ts';

export interface Rows {
  tenants: rows.TenantRow;
  keys: rows.KeyRow;
  sessions: rows.SessionRow;
  outcomeQueues: rows.OutcomeQueueRow;
  faults: rows.FaultRow;
  rateWindows: rows.RateWindowRow;
  endpoints: rows.EndpointRow;
  endpointHealth: rows.EndpointHealthRow;
  notices: rows.NoticeRow;
  emails: rows.EmailRow;
  events: rows.EventRow;
  deliveries: rows.DeliveryRow;
  attempts: rows.AttemptRow;
  jobs: rows.JobRow;
  clock: rows.ClockRow;
  settings: rows.SettingRow;
  requests: rows.RequestRow;
  observations: ObservationRow;
  changes: ChangeRow;
  reports: ReportRow;
}

/** The name of a table, in the changes that a `Log` stores. */
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
  | 'observations'
  | 'changes'
  | 'reports';

/** The columns by which rows can be found. */
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
  changes: [],
  reports: ['tenantId', 'sessionId', 'attemptId'],
} as const satisfies { readonly [T in TableName]: readonly (keyof Rows[T])[] };

/**
 * The tables with personal data or secrets, which must not stay in the storage after their row was deleted,
 * or after one of these columns was changed. Rows of other tables are deleted together with theirs, or are
 * replaced so often that the storage is rewritten anyway.
 */
export const ERASED_COLUMNS: { readonly [T in TableName]?: readonly (keyof Rows[T])[] } = {
  tenants: ['name', 'members'],
  keys: ['value'],
  sessions: [],
  endpoints: ['url', 'secret'],
};

export type IndexOf<T extends TableName> = (typeof INDEXES)[T][number];

const isWaiting = (row: rows.DeliveryRow): boolean =>
  row.status === 'pending' && row.leaseUntilMs === null;
const isRetry = (row: rows.DeliveryRow): boolean => row.attempts > row.baseAttempts;

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
} as const satisfies Readonly<Record<string, QueueRule<rows.DeliveryRow>>>;

export type QueueName = keyof typeof QUEUES;
