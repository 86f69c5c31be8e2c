import type { ChangedValue } from '../store/change-kinds.ts';
import { recordChange } from '../store/changes.ts';
import type { Db } from '../store/db.ts';
import { type Moment, newId } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import { drawFree, type Random, toToken, toUuid } from '../store/random.ts';
import type { KeyRow, TenantRow } from '../store/rows.ts';

export type KeyOperation = 'create' | 'validate';

export interface KeyPair {
  readonly pairId: string;
  readonly publishable: KeyRow;
  readonly secret: KeyRow;
}

/** The caller of a request: its key, and the account that the key belongs to. */
export interface Caller {
  readonly key: KeyRow;
  readonly tenant: TenantRow;
}

/**
 * Finds the key of a request and checks that it is allowed to call the operation.
 * @throws {ServiceError} api_key_required, api_key_invalid, secret_key_required or forbidden
 */
export function authenticate(db: Db, value: string | null, operation: KeyOperation): Caller {
  if (value === null) throw new ServiceError('api_key_required', 'API key required');
  const [key] = db.find('keys', 'value', value);
  const tenant = key && db.get('tenants', key.tenantId);
  if (!key || !tenant || key.status === 'revoked') {
    throw new ServiceError('api_key_invalid', 'Invalid API key');
  }
  if (operation === 'validate' && key.kind !== 'secret') {
    throw new ServiceError(
      'secret_key_required',
      'Private API key required for session validation',
    );
  }
  if (key.status === 'paused') throw new ServiceError('forbidden', 'API key is paused');
  return { key, tenant };
}

/** Returns the account of a key, even if the key is paused or revoked, or null if the key is unknown. */
export function findTenantIdOfKey(db: Db, value: string | null): string | null {
  if (value === null) return null;
  return db.find('keys', 'value', value)[0]?.tenantId ?? null;
}

/** Preset values of a key pair, for an application that must know its keys in advance. */
export interface KeyValues {
  readonly publishableKey?: string | undefined;
  readonly secretKey?: string | undefined;
}

/** Adds a key pair. A key that is not in `values` is random. */
export function createKeyPair(
  db: Db,
  tenantId: string,
  { nowMs, random }: Moment,
  values: KeyValues = {},
): KeyPair {
  const pairId = drawFree(
    () => toUuid(random),
    (id) => db.find('keys', 'pairId', id).length > 0,
  );
  const add = (kind: KeyRow['kind'], given: string | undefined): KeyRow => {
    const value = given ?? newKeyValue(db, kind, random);
    assertFree(db, kind, value);
    return db.put('keys', {
      id: newId(db, 'keys', random),
      tenantId,
      pairId,
      kind,
      value,
      status: 'active',
      createdAtMs: nowMs,
    });
  };
  const publishable = add('publishable', values.publishableKey);
  const secret = add('secret', values.secretKey);
  recordChange(db, { kind: 'key.added', tenantId, subjectId: pairId });
  return { pairId, publishable, secret };
}

/** Draws a value that no key has. */
export function newKeyValue(db: Db, kind: KeyRow['kind'], random: Random): string {
  return drawFree(
    () => toToken(kind === 'secret' ? 'sk_' : 'pk_', random),
    (value) => db.find('keys', 'value', value).length > 0,
  );
}

/** Replaces a key's value and activates the key. The old value is no longer valid. */
export function replaceKey(db: Db, key: KeyRow, value: string, { nowMs }: Moment): KeyRow {
  assertFree(db, key.kind, value);
  recordKeyChange(db, key, [{ name: 'value' }]);
  return db.put('keys', { ...key, value, status: 'active', createdAtMs: nowMs });
}

/** @throws {ServiceError} conflict if a key with this value exists, naming its account */
function assertFree(db: Db, kind: KeyRow['kind'], value: string): void {
  const [taken] = db.find('keys', 'value', value);
  if (!taken) return;
  const holder = db.get('tenants', taken.tenantId)?.name ?? taken.tenantId;
  throw new ServiceError('conflict', `${kind}Key is already used by the account "${holder}"`);
}

/** Returns the account's key pairs in the order of their creation. */
export function listPairs(db: Db, tenantId: string): KeyPair[] {
  const keys = db.find('keys', 'tenantId', tenantId);
  return [...new Set(keys.map(({ pairId }) => pairId))].flatMap((pairId) => {
    const publishable = keys.find((key) => key.pairId === pairId && key.kind === 'publishable');
    const secret = keys.find((key) => key.pairId === pairId && key.kind === 'secret');
    return publishable && secret ? [{ pairId, publishable, secret }] : [];
  });
}

/** Pauses, resumes or revokes a key. A revoked key stays revoked. */
export function setKeyStatus(db: Db, id: string, status: KeyRow['status']): KeyRow {
  const key = db.get('keys', id);
  if (!key) throw new ServiceError('not_found', 'API key not found');
  if (key.status === 'revoked' && status !== 'revoked') {
    throw new ServiceError('conflict', 'A revoked API key cannot be used again');
  }
  if (status !== key.status)
    recordKeyChange(db, key, [{ name: 'status', before: key.status, after: status }]);
  return db.put('keys', { ...key, status });
}

function recordKeyChange(
  db: Db,
  { tenantId, pairId, kind }: KeyRow,
  values: readonly ChangedValue[],
): void {
  recordChange(db, { kind: 'key.changed', tenantId, subjectId: pairId, subject: kind, values });
}

export function isActivePair({ publishable, secret }: KeyPair): boolean {
  return publishable.status === 'active' && secret.status === 'active';
}

/**
 * Tells whether a session of this pair can be opened in a browser, which needs an active publishable key.
 */
export function hasActivePublishableKey(db: Db, pairId: string): boolean {
  return db
    .find('keys', 'pairId', pairId)
    .some((key) => key.kind === 'publishable' && key.status === 'active');
}

/** Length of the window of both rate limits, from the interface specification. */
export const WINDOW_MS = 60_000;

export const DEFAULT_RATE_LIMITS = { create: 300, validate: 100 } as const;

/** The state of the account's rate limit after a request, as the response headers report it. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the window resets, if the request is over the limit; otherwise null. */
  readonly retryAfterMs: number | null;
}

/**
 * Counts a request against the account's limit for the operation. The window is fixed and starts with its
 * first request. A refused request does not count.
 */
export function countRequest(
  db: Db,
  tenant: TenantRow,
  operation: KeyOperation,
  nowMs: number,
): Quota {
  const limit = tenant.rateLimits[operation];
  const id = `${tenant.id}:${operation}`;
  const known = db.get('rateWindows', id);
  // A window that begins later is from before the computer's clock was set back.
  const isOpen =
    known !== undefined && known.startedAtMs <= nowMs && nowMs < known.startedAtMs + WINDOW_MS;
  const { startedAtMs, count } = isOpen ? known : { startedAtMs: nowMs, count: 0 };
  if (count >= limit) {
    return { limit, remaining: 0, retryAfterMs: startedAtMs + WINDOW_MS - nowMs };
  }
  db.put('rateWindows', { id, startedAtMs, count: count + 1 });
  return { limit, remaining: limit - count - 1, retryAfterMs: null };
}

/** Returns a new account's full quota, for a request that is not counted or whose account is unknown. */
export function untouchedQuota(operation: KeyOperation): Quota {
  const limit = DEFAULT_RATE_LIMITS[operation];
  return { limit, remaining: limit, retryAfterMs: null };
}
