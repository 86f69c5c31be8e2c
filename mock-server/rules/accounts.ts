import type { Db } from '../store/db.ts';
import type { TenantRow } from '../store/tables.ts';
import { createEndpoint, endpointsOf, updateEndpoint, type NewEndpoint } from './endpoints.ts';
import { createKeyPair, listPairs, replaceKey, type KeyValues } from './keys.ts';
import type { Moment } from '../store/moment.ts';
import { createTenant, updateTenant, type TenantChange } from './tenants.ts';

/** An account that the state must have. */
export interface AccountSeed extends TenantChange, KeyValues {
  readonly name: string;
  /** The id of the account if it is created. @default a random id */
  readonly id?: string | undefined;
  readonly endpoints: readonly NewEndpoint[];
}

/**
 * Adds the account, or updates the existing account of that name. Endpoints and key pairs that are not in
 * the seed are left unchanged.
 */
export function ensureAccount(db: Db, seed: AccountSeed, moment: Moment): TenantRow {
  const known = findAccount(db, seed.name);
  const tenant = known ? updateTenant(db, known.id, seed) : createTenant(db, seed, moment, seed.id);
  ensureKeys(db, tenant, seed, moment);
  const endpoints = endpointsOf(db, tenant.id);
  for (const endpoint of seed.endpoints) {
    const { url, events, enabled, secret } = endpoint;
    const same = endpoints.find((one) => one.url === url);
    if (same) updateEndpoint(db, same.id, { events, enabled, secret }, moment.nowMs);
    else createEndpoint(db, tenant.id, endpoint, moment);
  }
  return tenant;
}

export function findAccount(db: Db, name: string): TenantRow | undefined {
  return [...db.all('tenants')].find((tenant) => tenant.name === name);
}

/**
 * Makes sure that the account has the given keys, or any key pair if none are given. If exactly one of two
 * given keys exists, the pair of that key gets the other given key in place of its current one.
 */
function ensureKeys(db: Db, tenant: TenantRow, values: KeyValues, moment: Moment): void {
  const pairs = listPairs(db, tenant.id);
  const { publishableKey, secretKey } = values;
  if (publishableKey === undefined && secretKey === undefined) {
    if (pairs.length === 0) createKeyPair(db, tenant.id, moment);
    return;
  }
  const byPublishable = pairs.find(({ publishable }) => publishable.value === publishableKey);
  const bySecret = pairs.find(({ secret }) => secret.value === secretKey);
  if (!byPublishable && !bySecret) createKeyPair(db, tenant.id, moment, values);
  else if (byPublishable && !bySecret && secretKey !== undefined)
    replaceKey(db, byPublishable.secret, secretKey, moment);
  else if (bySecret && !byPublishable && publishableKey !== undefined)
    replaceKey(db, bySecret.publishable, publishableKey, moment);
}
