import { INDEXES, type Rows, type TableName } from '../core/tables.ts';

/**
 * What each column of a row that comes from outside must be, for the tables that requests are answered
 * from: a rule that trusts its rows must be able to. Of the others only the looked-up columns are checked.
 */
export function findShapeProblem(table: TableName, row: Record<string, unknown>): string | null {
  const shape: Readonly<Record<string, Kind>> = SHAPES[table] ?? {};
  for (const [column, kind] of Object.entries(shape)) {
    if (!CHECKS[kind](row[column])) return `${column} must be ${NAMES[kind]}`;
  }
  for (const column of INDEXES[table]) {
    if (!CHECKS['text?'](row[column])) return `${column} must be ${NAMES['text?']}`;
  }
  return null;
}

type Kind =
  'number' | 'text' | 'text?' | 'int' | 'int?' | 'flag' | 'texts' | 'list' | 'object' | 'object?';

const isText = (value: unknown): boolean => typeof value === 'string';
const isInt = (value: unknown): boolean => Number.isSafeInteger(value);
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const CHECKS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  number: (value) => Number.isFinite(value),
  text: isText,
  'text?': (value) => value === null || isText(value),
  int: isInt,
  'int?': (value) => value === null || isInt(value),
  flag: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(isText),
  list: (value) => Array.isArray(value) && value.every(isObject),
  object: isObject,
  'object?': (value) => value === null || isObject(value),
};

const NAMES: Readonly<Record<Kind, string>> = {
  number: 'a number',
  text: 'a string',
  'text?': 'a string or null',
  int: 'an integer',
  'int?': 'an integer or null',
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
    createdAtMs: 'int',
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
    createdAtMs: 'int',
  },
  sessions: {
    tenantId: 'text',
    pairId: 'text',
    status: 'text',
    createdAtMs: 'int',
    expiresAtMs: 'int',
    settledAtMs: 'int?',
    validatedAtMs: 'int?',
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
    createdAtMs: 'int',
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
    nextAtMs: 'int',
    deadlineAtMs: 'int',
    leaseUntilMs: 'int?',
    leaseToken: 'text?',
    createdAtMs: 'int',
    deliveredAtMs: 'int?',
    undeliveredAtMs: 'int?',
    reason: 'text?',
    redeliveryNo: 'int',
  },
  rateWindows: { startedAtMs: 'int', count: 'int' },
  jobs: { kind: 'text', dueMs: 'int', ref: 'text' },
  settings: { value: 'text' },
};
