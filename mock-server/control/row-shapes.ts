import { isInstant, LAST_INSTANT_MS } from '../core/clock.ts';
import { INDEXES, type Rows, type TableName } from '../core/tables.ts';

/**
 * What each column of a row that comes from outside must be, for the tables that requests are answered
 * from: a rule that trusts its rows must be able to. Of the others only the times and the looked-up columns
 * are checked.
 */
export function findShapeProblem(table: TableName, row: Record<string, unknown>): string | null {
  const shape: Readonly<Record<string, Kind>> = SHAPES[table] ?? TIMES[table] ?? {};
  for (const [column, kind] of Object.entries(shape)) {
    if (!CHECKS[kind](row[column])) return `${column} must be ${NAMES[kind]}`;
  }
  for (const column of INDEXES[table]) {
    if (!CHECKS['text?'](row[column])) return `${column} must be ${NAMES['text?']}`;
  }
  return null;
}

type Kind =
  | 'number'
  | 'text'
  | 'text?'
  | 'int'
  | 'time'
  | 'time?'
  | 'flag'
  | 'texts'
  | 'list'
  | 'object'
  | 'object?';

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const CHECKS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  number: (value) => Number.isFinite(value),
  text: isText,
  'text?': (value) => value === null || isText(value),
  int: (value) => Number.isSafeInteger(value),
  time: isInstant,
  'time?': (value) => value === null || isInstant(value),
  flag: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(isText),
  list: (value) => Array.isArray(value) && value.every(isObject),
  object: isObject,
  'object?': (value) => value === null || isObject(value),
};

const TIME = `an integer up to ${LAST_INSTANT_MS} (the end of the year 9999)`;

const NAMES: Readonly<Record<Kind, string>> = {
  number: 'a number',
  text: 'a string',
  'text?': 'a string or null',
  int: 'an integer',
  time: TIME,
  'time?': `${TIME}, or null`,
  flag: 'a boolean value',
  texts: 'an array of strings',
  list: 'an array of objects',
  object: 'an object',
  'object?': 'an object or null',
};

/** Every column but the id, which the compiler checks. */
type Shape<Row> = { readonly [K in Exclude<keyof Row, 'id'>]-?: Kind };

const SHAPES: { readonly [T in TableName]?: Shape<Rows[T]> } = {
  tenants: {
    name: 'text',
    createdAtMs: 'time',
    policy: 'object',
    allowedDomains: 'texts',
    sandboxMode: 'flag',
    billingBlock: 'object?',
    rateLimits: 'object',
    members: 'list',
    timeoutAttempts: 'int',
  },
  keys: {
    tenantId: 'text',
    pairId: 'text',
    kind: 'text',
    value: 'text',
    status: 'text',
    createdAtMs: 'time',
  },
  sessions: {
    tenantId: 'text',
    pairId: 'text',
    status: 'text',
    createdAtMs: 'time',
    expiresAtMs: 'time',
    settledAtMs: 'time?',
    validatedAtMs: 'time?',
    reason: 'text?',
    returnUrl: 'text',
    cancelUrl: 'text?',
    merchantName: 'text?',
    externalUserId: 'text?',
    verificationMode: 'text',
    challengeAge: 'number',
    faceMatchEnabled: 'flag',
    sandboxMode: 'flag',
    billingBlock: 'object?',
    presetOutcome: 'text?',
    retries: 'int',
    needsRetry: 'flag',
    activeDevice: 'text',
    openDevices: 'texts',
  },
  outcomeQueues: { scenarios: 'texts' },
  faults: {
    operation: 'text',
    fault: 'text',
    tenantId: 'text?',
    remaining: 'int',
    delayMs: 'int',
    createdAtMs: 'time',
  },
  deliveries: {
    eventId: 'text',
    tenantId: 'text',
    endpointId: 'text',
    lane: 'text',
    url: 'text',
    policy: 'text',
    status: 'text',
    attempts: 'int',
    baseAttempts: 'int',
    nextAtMs: 'time',
    deadlineAtMs: 'time',
    leaseUntilMs: 'time?',
    leaseToken: 'text?',
    createdAtMs: 'time',
    deliveredAtMs: 'time?',
    undeliveredAtMs: 'time?',
    reason: 'text?',
    redeliveryNo: 'int',
  },
  rateWindows: { startedAtMs: 'time', count: 'int' },
  jobs: { kind: 'text', dueMs: 'time', ref: 'text' },
  settings: { value: 'text' },
};

/** Of the other tables, what is shown as a date. */
const TIMES: { readonly [T in TableName]?: Partial<Shape<Rows[T]>> } = {
  endpoints: { createdAtMs: 'time' },
  legacyWebhooks: { createdAtMs: 'time' },
  endpointHealth: {
    failingSinceMs: 'time?',
    rejectingSinceMs: 'time?',
    lastFailureAtMs: 'time?',
    lastSuccessAtMs: 'time?',
    gateAtMs: 'time?',
    holdUntilMs: 'time?',
    pausedAtMs: 'time?',
    testUntilMs: 'time?',
  },
  notices: { createdAtMs: 'time' },
  emails: { createdAtMs: 'time' },
  events: { createdAtMs: 'time' },
  attempts: { startedAtMs: 'time', finishedAtMs: 'time?' },
};
