import { OBSERVATION_KINDS } from '../api/doctor.ts';
import {
  API_FAULTS,
  API_OPERATIONS,
  FAULT_KINDS,
  FAULT_OPERATIONS,
  WEBHOOK_FAULTS,
} from '../rules/faults.ts';
import { EVENT_KINDS } from '../store/event-kinds.ts';
import type { Rows, TableName } from '../store/tables.ts';
import {
  type Check,
  flag,
  int,
  listOf,
  number,
  objectOf,
  oneOf,
  optional,
  orNull,
  text,
  textsByName,
  time,
  url,
} from './row-checks.ts';

/** The tables of a snapshot. The clock is saved separately: see snapshot.ts. */
export type SnapshotTable = Exclude<TableName, 'clock'>;

/**
 * Returns the problem with a row of a snapshot, or null. Every column is checked, because the rules rely on
 * valid rows. Others are refused, because they could have any value, such as one that cannot be stored.
 */
export function findShapeProblem(
  table: SnapshotTable,
  row: Record<string, unknown>,
): string | null {
  const shape: Readonly<Record<string, Check>> = SHAPES[table];
  for (const [column, check] of Object.entries(shape)) {
    if (!check.holds(row[column])) return `${column} must be ${check.name}`;
  }
  const unknown = Object.keys(row).find(
    (column) => column !== 'id' && !Object.hasOwn(shape, column),
  );
  return unknown === undefined ? null : `${unknown} should not exist`;
}

const mode = oneOf('L1', 'L2');
const device = oneOf('first', 'second');
const eventKind = oneOf(...EVENT_KINDS);
const eventKinds = listOf(eventKind, 'event kinds');
const pauseReason = oneOf('rejecting', 'failing');
const texts = listOf(text, 'strings');
const billingBlock = orNull(
  objectOf({
    code: oneOf('SUBSCRIPTION_REQUIRED', 'PLAN_LIMIT_REACHED', 'SANDBOX_LIMIT_REACHED'),
    message: text,
    portalUrl: optional(text),
  }),
);
const member = objectOf({ email: text, role: oneOf('owner', 'admin', 'developer') });

/** The checks of all columns except the id. The compiler makes sure that none is missing. */
type Shape<Row> = { readonly [K in Exclude<keyof Row, 'id'>]-?: Check };

export const SHAPES: { readonly [T in SnapshotTable]: Shape<Rows[T]> } = {
  tenants: {
    name: text,
    createdAtMs: time,
    policy: objectOf({ verificationMode: mode, challengeAge: number, faceMatchEnabled: flag }),
    allowedDomains: texts,
    sandboxMode: flag,
    billingBlock,
    rateLimits: objectOf({ create: int, validate: int }),
    members: listOf(member, 'members, each with an email and a role'),
    timeoutAttempts: int,
  },
  keys: {
    tenantId: text,
    pairId: text,
    kind: oneOf('publishable', 'secret'),
    value: text,
    status: oneOf('active', 'paused', 'revoked'),
    createdAtMs: time,
  },
  sessions: {
    tenantId: text,
    pairId: text,
    status: oneOf('PENDING', 'VERIFIED', 'FAILED', 'CANCELLED', 'EXPIRED'),
    createdAtMs: time,
    expiresAtMs: time,
    settledAtMs: orNull(time),
    validatedAtMs: orNull(time),
    reason: orNull(text),
    returnUrl: text,
    cancelUrl: orNull(text),
    merchantName: orNull(text),
    externalUserId: orNull(text),
    verificationMode: mode,
    challengeAge: number,
    faceMatchEnabled: flag,
    sandboxMode: flag,
    billingBlock,
    presetOutcome: orNull(text),
    retries: int,
    needsRetry: flag,
    activeDevice: device,
    openDevices: listOf(device, 'devices (first, second)'),
  },
  outcomeQueues: { scenarios: texts },
  faults: {
    operation: oneOf(...FAULT_OPERATIONS),
    fault: oneOf(...FAULT_KINDS),
    tenantId: orNull(text),
    remaining: int,
    delayMs: int,
    createdAtMs: time,
  },
  rateWindows: { startedAtMs: time, count: int },
  endpoints: {
    kind: optional(oneOf('legacy')),
    tenantId: text,
    url,
    events: eventKinds,
    secret: orNull(text),
    secretVersion: int,
    pairId: orNull(text),
    enabled: flag,
    createdAtMs: time,
    pause: orNull(objectOf({ atMs: time, reason: pauseReason })),
  },
  endpointHealth: {
    endpointId: text,
    url,
    consecutiveFailures: int,
    failingSinceMs: orNull(time),
    rejectingSinceMs: orNull(time),
    lastFailureAtMs: orNull(time),
    lastSuccessAtMs: orNull(time),
    isLastSuccess: orNull(flag),
    holdUntilMs: orNull(time),
    testToken: orNull(text),
    testUntilMs: orNull(time),
  },
  notices: {
    tenantId: text,
    endpointId: text,
    url: text,
    reason: pauseReason,
    text,
    createdAtMs: time,
  },
  emails: { tenantId: text, to: texts, subject: text, text, createdAtMs: time },
  events: {
    tenantId: text,
    sessionId: text,
    pairId: text,
    kind: eventKind,
    createdAtMs: time,
    body: orNull(text),
  },
  deliveries: {
    eventId: text,
    tenantId: text,
    endpointId: text,
    lane: text,
    url,
    policy: oneOf('durable', 'timeout', 'inline'),
    status: oneOf('pending', 'delivered', 'undelivered', 'cancelled'),
    attempts: int,
    baseAttempts: int,
    nextAtMs: time,
    deadlineAtMs: time,
    leaseUntilMs: orNull(time),
    leaseToken: orNull(text),
    createdAtMs: time,
    deliveredAtMs: orNull(time),
    undeliveredAtMs: orNull(time),
    reason: orNull(text),
    redeliveryNo: int,
  },
  attempts: {
    deliveryId: text,
    n: int,
    startedAtMs: time,
    finishedAtMs: orNull(time),
    outcome: orNull(oneOf('ok', 'reject', 'fail', 'lost')),
    httpStatus: orNull(int),
    error: orNull(text),
    retryAfterMs: orNull(number),
    durationMs: orNull(number),
    address: orNull(text),
    hops: int,
    bodySha256: orNull(text),
    signature: optional(orNull(text)),
    signedWithSecretVersion: orNull(int),
    fault: optional(oneOf(...WEBHOOK_FAULTS)),
  },
  jobs: { kind: text, dueMs: time, ref: text, rank: optional(int) },
  settings: { value: text },
  requests: {
    no: int,
    surface: oneOf('api', 'hosted'),
    surfaceNo: int,
    atMs: time,
    realAtMs: time,
    durationMs: number,
    method: text,
    path: text,
    operation: orNull(oneOf(...API_OPERATIONS)),
    credential: orNull(text),
    origin: orNull(text),
    isBrowser: flag,
    tenantId: orNull(text),
    sessionId: orNull(text),
    status: int,
    fault: orNull(oneOf(...API_FAULTS)),
    requestHeaders: textsByName,
    requestBody: orNull(text),
    responseHeaders: textsByName,
    responseBody: text,
  },
  observations: {
    no: int,
    atMs: time,
    kind: oneOf(...OBSERVATION_KINDS),
    tenantId: text,
    sessionId: text,
    eventId: orNull(text),
    by: orNull(text),
  },
};
