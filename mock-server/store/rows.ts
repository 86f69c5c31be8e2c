import { changes } from './change-kinds.ts';
import {
  type ValueChecks,
  flag,
  int,
  key,
  line,
  listOf,
  number,
  objectOf,
  oneOf,
  optional,
  orNull,
  pageUrl,
  type Row,
  text,
  textsByName,
  time,
  url,
} from './checks.ts';
import { type DeliveryPolicy, EVENT_KINDS, type EventKind } from './event-kinds.ts';
import { observations } from './observations.ts';
import { reports } from './report-kinds.ts';

// The tables. Each is written once, as the checks of its columns: they are the type of its rows, and they
// check the rows of a snapshot. Times are integer milliseconds since the epoch. Rows are immutable: a change
// puts a new object, so that a rollback can restore the old one.

/** `L1` estimates the age from a picture of the face. `L2` reads an ID document. */
export type VerificationMode = 'L1' | 'L2';
const mode = oneOf<VerificationMode>('L1', 'L2');

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
const billingBlock = orNull(
  objectOf<BillingBlock>({
    code: oneOf('SUBSCRIPTION_REQUIRED', 'PLAN_LIMIT_REACHED', 'SANDBOX_LIMIT_REACHED'),
    message: text,
    portalUrl: optional(text),
  }),
);

/** A person with access to the account. Owners and admins get its emails. */
export interface Member {
  readonly email: string;
  readonly role: 'owner' | 'admin' | 'developer';
}
const member = objectOf<Member>({ email: line, role: oneOf('owner', 'admin', 'developer') });

const texts = listOf(text, 'strings');

const tenants = {
  name: line,
  createdAtMs: time,
  policy: objectOf<Policy>({
    verificationMode: mode,
    challengeAge: number,
    faceMatchEnabled: flag,
  }),
  /** Exact hosts, or `*.example.com` for its subdomains. */
  allowedDomains: texts,
  sandboxMode: flag,
  billingBlock,
  /** Maximum number of requests in 60 seconds. */
  rateLimits: objectOf<{ readonly create: number; readonly validate: number }>({
    create: int,
    validate: int,
  }),
  members: listOf(member, 'members, each with an email and a role'),
  /** Maximum number of attempts for each timeout delivery, 1 to 10. */
  timeoutAttempts: int,
};
export interface TenantRow extends Row<typeof tenants> {}

const keys = {
  tenantId: text,
  pairId: text,
  kind: oneOf('publishable', 'secret'),
  /**
   * The key itself, `pk_…` or `sk_…`. The mock can show it again. A real service would store only a hash.
   */
  value: key,
  status: oneOf('active', 'paused', 'revoked'),
  createdAtMs: time,
};
export interface KeyRow extends Row<typeof keys> {}

/**
 * A device with the hosted page open: the one on which the session started, or the one that scanned its QR
 * code.
 */
export type Device = 'first' | 'second';
const device = oneOf<Device>('first', 'second');

/** An unusable image, another attempt after it, or a change of the device. */
export interface SessionStep {
  readonly kind: 'image_refused' | 'retried' | 'continued';
  /** The device on which it happened, or on which the shopper continued. */
  readonly device: Device;
  readonly atMs: number;
}
const step = objectOf<SessionStep>({
  kind: oneOf('image_refused', 'retried', 'continued'),
  device,
  atMs: time,
});

export type SessionStatus = 'PENDING' | 'VERIFIED' | 'FAILED' | 'CANCELLED' | 'EXPIRED';

const sessions = {
  tenantId: text,
  pairId: text,
  status: oneOf<SessionStatus>('PENDING', 'VERIFIED', 'FAILED', 'CANCELLED', 'EXPIRED'),
  createdAtMs: time,
  expiresAtMs: time,
  /** Time at which the session left PENDING. */
  settledAtMs: orNull(time),
  /** Time at which validate consumed the session. */
  validatedAtMs: orNull(time),
  /** The reason for failure or cancellation, as in webhooks, for example `age_not_met`. */
  reason: orNull(text),
  returnUrl: pageUrl,
  cancelUrl: orNull(pageUrl),
  /** The origin of the page that created the session. Null if it is unknown or not allowed. */
  pageOrigin: orNull(pageUrl),
  merchantName: orNull(text),
  externalUserId: orNull(text),
  verificationMode: mode,
  challengeAge: number,
  faceMatchEnabled: flag,
  sandboxMode: flag,
  billingBlock,
  /** The scenario that was chosen at creation. Null means that the hosted page decides. */
  presetOutcome: orNull(text),
  /** Number of times that the shopper retried after an unusable image. */
  retries: int,
  /** True if the last image was unusable and the shopper may take another one. */
  needsRetry: flag,
  /** The device on which the shopper continues. The other one shows the progress. */
  activeDevice: device,
  openDevices: listOf(device, 'devices (first, second)'),
  /** What the shopper did on the hosted page, oldest first. Absent until something was done. */
  steps: optional(listOf(step, 'steps, each with its kind, its device and its time')),
  /** True if the mock created the session, for the console or `trigger`. Absent for a merchant's session. */
  isFromTool: optional(flag),
};
export interface SessionRow extends Row<typeof sessions> {}

/** The scenarios of an account's next sessions, in order. The row's id is the account's id. */
const outcomeQueues = { scenarios: texts };
export interface OutcomeQueueRow extends Row<typeof outcomeQueues> {}

export const API_OPERATIONS = ['create', 'validate', 'hosted'] as const;
export type OperationName = (typeof API_OPERATIONS)[number];
export const FAULT_OPERATIONS = [...API_OPERATIONS, 'webhook'] as const;

export const API_FAULTS = ['429', '500', '503', 'slow', 'malformed'] as const;
export type ApiFault = (typeof API_FAULTS)[number];
// prettier-ignore
export const WEBHOOK_FAULTS = ['401', '410', '429', '500', '503', 'slow', 'hang', 'reset', 'duplicate'] as const;
/** A receiver's behaviour that is simulated. See send/engine.ts. */
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];
// prettier-ignore
export const FAULT_KINDS = ['401', '410', '429', '500', '503', 'slow', 'malformed', 'hang', 'reset', 'duplicate'] as const;

/** The columns that all faults have. */
const faultColumns = {
  /** The account whose calls or webhooks are affected. Null affects all accounts. */
  tenantId: orNull(text),
  /** The number of calls or attempts still to be affected. */
  remaining: int,
  /** The delay of a slow response, in milliseconds of real time. */
  delayMs: int,
  createdAtMs: time,
};
const faults = {
  operation: oneOf(...FAULT_OPERATIONS),
  fault: oneOf(...FAULT_KINDS),
  ...faultColumns,
};
/** A fault that is injected into the next calls of an operation, or into the next webhooks. */
export type FaultRow = ApiFaultRow | WebhookFaultRow;
export interface ApiFaultRow extends Row<typeof faultColumns> {
  readonly operation: OperationName;
  readonly fault: ApiFault;
}
export interface WebhookFaultRow extends Row<typeof faultColumns> {
  readonly operation: 'webhook';
  readonly fault: WebhookFault;
}

/** One fixed window of a rate limit. The row's id is `tenant:operation`. */
const rateWindows = { startedAtMs: time, count: int };
export interface RateWindowRow extends Row<typeof rateWindows> {}

const eventKind = oneOf<EventKind>(...EVENT_KINDS);

/**
 * The reason for an automatic pause: the receiver rejected every request for an hour, or failed for 24
 * hours.
 */
export type PauseReason = 'rejecting' | 'failing';
const pauseReason = oneOf<PauseReason>('rejecting', 'failing');

/**
 * The pause of an endpoint that rejected requests or failed for too long. The endpoint gets no events until
 * it is resumed.
 */
export interface Pause {
  readonly atMs: number;
  readonly reason: PauseReason;
}

/** The webhook endpoints and the legacy webhooks. */
const endpoints = {
  /** Set on a legacy webhook. Its id is the account's id, because an account has at most one. */
  kind: optional(oneOf('legacy')),
  tenantId: text,
  url,
  events: listOf(eventKind, 'event kinds'),
  /** The secret that signs every delivery. If null, deliveries are not signed. */
  secret: orNull(line),
  /** Limits the endpoint to sessions of this key pair. Null means the whole account. */
  pairId: orNull(text),
  enabled: flag,
  createdAtMs: time,
  /** Null unless the endpoint is paused. */
  pause: orNull(objectOf<Pause>({ atMs: time, reason: pauseReason })),
};
export interface EndpointRow extends Row<typeof endpoints> {}

/** The health of each lane: an endpoint at one address. The row's id is the lane's. See rules/lanes.ts. */
const endpointHealth = {
  endpointId: text,
  url,
  /**
   * Number of failed requests since the last success, or since the endpoint got the address or was resumed.
   */
  consecutiveFailures: int,
  /** Time of the first of these failures. */
  failingSinceMs: orNull(time),
  /** The start of an unbroken run of rejections. */
  rejectingSinceMs: orNull(time),
  lastFailureAtMs: orNull(time),
  lastSuccessAtMs: orNull(time),
  /** True if the last request, tests included, succeeded. Null before the first. */
  isLastSuccess: orNull(flag),
  /**
   * The earliest start of any attempt, from the receiver's `Retry-After`. Test events do not wait for it.
   */
  holdUntilMs: orNull(time),
  /** The token of the lease of a test event in flight. */
  testToken: orNull(text),
  testUntilMs: orNull(time),
};
export interface EndpointHealthRow extends Row<typeof endpointHealth> {}

/**
 * The texts that the console shows about pauses. The row's id is the endpoint's id and the number of the
 * pause.
 */
const notices = {
  tenantId: text,
  endpointId: text,
  url,
  reason: pauseReason,
  text,
  createdAtMs: time,
};
export interface NoticeRow extends Row<typeof notices> {}

/** The outbox. The mock sends no mail. The row's id is the id of the notice. */
const emails = { tenantId: text, to: texts, subject: text, text, createdAtMs: time };
export interface EmailRow extends Row<typeof emails> {}

/** The row's id is the `eventId` in the payload. `session.started` payloads do not contain it. */
const events = {
  tenantId: text,
  sessionId: text,
  kind: eventKind,
  createdAtMs: time,
  /** The payload's text, serialised once. Null until the first send of an inline event. */
  body: orNull(text),
};
export interface EventRow extends Row<typeof events> {}

/** The state of a delivery. Only events that are `undelivered` can be redelivered. */
export type DeliveryStatus = 'pending' | 'delivered' | 'undelivered' | 'cancelled';

const deliveries = {
  eventId: text,
  tenantId: text,
  endpointId: text,
  /** The id of its lane. See rules/lanes.ts. */
  lane: text,
  /** A copy of the endpoint's address, because a later change must not redirect a queued event. */
  url,
  policy: oneOf<DeliveryPolicy>('durable', 'timeout', 'inline'),
  status: oneOf<DeliveryStatus>('pending', 'delivered', 'undelivered', 'cancelled'),
  /** Number of attempts that were started. */
  attempts: int,
  /** Number of attempts that do not count in the retry schedule: lost ones, and all before a redelivery. */
  baseAttempts: int,
  nextAtMs: time,
  deadlineAtMs: time,
  leaseUntilMs: orNull(time),
  /** The id of the attempt that holds the lease. */
  leaseToken: orNull(text),
  createdAtMs: time,
  deliveredAtMs: orNull(time),
  undeliveredAtMs: orNull(time),
  reason: orNull(text),
  redeliveryNo: int,
};
export interface DeliveryRow extends Row<typeof deliveries> {}

const attempts = {
  deliveryId: text,
  n: int,
  startedAtMs: time,
  finishedAtMs: orNull(time),
  /** What the result means for the delivery. `lost`: the process died before it knew the result. */
  outcome: orNull(oneOf('ok', 'reject', 'fail', 'lost')),
  httpStatus: orNull(int),
  /** The error if there was no final response, for example `timeout`. */
  error: orNull(text),
  retryAfterMs: orNull(number),
  durationMs: orNull(number),
  hops: int,
  /** The hash of the request body. Null unless the attempt's result is known. */
  bodySha256: orNull(text),
  /** The signature header. Null for an unsigned body. Absent if the attempt's result is not known. */
  signature: optional(orNull(text)),
  /** The injected fault, if any. */
  fault: optional(oneOf<WebhookFault>(...WEBHOOK_FAULTS)),
};
export interface AttemptRow extends Row<typeof attempts> {}

/** The jobs for points in time. The scheduler's queues are derived from these rows. */
const jobs = {
  kind: text,
  dueMs: time,
  /**
   * The id of the session or the lane that the job is for. The job `retain` stores the last session that
   * its pass has kept.
   */
  ref: text,
  /**
   * The order among the jobs of the same instant. The smallest comes first, and jobs without a rank come
   * last. It is stored, so that the order survives a restart.
   */
  rank: optional(int),
};
export interface JobRow extends Row<typeof jobs> {}

/** Kinds of internal jobs, which the clock does not report as due next. */
export const HOUSEKEEPING_JOBS: ReadonlySet<string> = new Set(['retain']);

/** Values that are generated once per state, such as the key that signs session tokens. */
const settings = { value: text };
export interface SettingRow extends Row<typeof settings> {}

/**
 * The requests to the API and to the hosted page's API, with their responses. Secret keys, tokens and other
 * secrets are shortened or hidden. The row's id is the value of `no` as text.
 */
const requests = {
  /** The number of the request, counted from 1. */
  no: int,
  /** The API of the request. */
  surface: oneOf('api', 'hosted'),
  /**
   * The number among the requests to the same API, counted from 1. Requests of no known account are counted
   * separately.
   */
  surfaceNo: int,
  /** Virtual time of arrival. */
  atMs: time,
  /** Real time of arrival. */
  realAtMs: time,
  /** Duration in real time. */
  durationMs: number,
  method: text,
  path: text,
  operation: orNull(oneOf<OperationName>(...API_OPERATIONS)),
  /** The first characters of the key or token. */
  credential: orNull(text),
  origin: orNull(text),
  isBrowser: flag,
  /** The account of the key or session token, also if it was refused. Null if it is unknown. */
  tenantId: orNull(text),
  sessionId: orNull(text),
  /** True if the console itself sent the request. Absent for all others. */
  isFromTool: optional(flag),
  status: int,
  fault: orNull(oneOf<ApiFault>(...API_FAULTS)),
  requestHeaders: textsByName,
  /** The body, at most 4,096 characters. Null if it was too large or incomplete. */
  requestBody: orNull(text),
  responseHeaders: textsByName,
  /** The body, at most 4,096 characters. */
  responseBody: text,
};
export interface RequestRow extends Row<typeof requests> {}

/** The tables that keep only their newest rows. */
export const CAPPED_TABLES: ReadonlySet<string> = new Set([
  'requests',
  'observations',
  'changes',
  'reports',
]);

/**
 * The difference between virtual and real time, shared by every process or tab that uses the log. The id of
 * the only row is `clock`. A snapshot has no such row, because it saves the clock in another form.
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
  /**
   * Virtual time minus real time, while time runs. While it is stopped: the difference at the stop, plus the
   * moves since then.
   */
  readonly offsetMs: number;
}

/** The checks of all columns except the id, for each table of a snapshot. */
export const COLUMNS = {
  tenants,
  keys,
  sessions,
  outcomeQueues,
  faults,
  rateWindows,
  endpoints,
  endpointHealth,
  notices,
  emails,
  events,
  deliveries,
  attempts,
  jobs,
  settings,
  requests,
  observations,
  changes,
  reports,
} as const;

/** The tables of a snapshot. */
export type SnapshotTable = keyof typeof COLUMNS;

/**
 * Returns the problem with a row of a snapshot, or null. Every column is checked, because the rules rely on
 * valid rows. Others are refused, because they could have any value, such as one that cannot be stored.
 */
export function findRowProblem(table: SnapshotTable, row: Record<string, unknown>): string | null {
  const columns: ValueChecks = COLUMNS[table];
  for (const [column, check] of Object.entries(columns)) {
    if (!check.holds(row[column])) return `${column} must be ${check.name}`;
  }
  const unknown = Object.keys(row).find(
    (column) => column !== 'id' && !Object.hasOwn(columns, column),
  );
  if (unknown !== undefined) return `${unknown} should not exist`;
  return table === 'faults' ? findFaultProblem(row as unknown as FaultRow) : null;
}

/** Returns the problem with a fault that its operation cannot have, or null. */
export function findFaultProblem({
  operation,
  fault,
}: Readonly<Record<'operation' | 'fault', string>>): string | null {
  const kinds: readonly string[] = operation === 'webhook' ? WEBHOOK_FAULTS : API_FAULTS;
  if (kinds.includes(fault)) return null;
  return `fault must be one of the following values for ${operation}: ${kinds.join(', ')}`;
}
