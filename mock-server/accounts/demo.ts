import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import type { TenantRow } from '../core/tables.ts';
import { ensureAccount, findAccount, type AccountSeed } from './accounts.ts';
import { createEndpoint, endpointsOf, type NewEndpoint } from '../webhooks/endpoints.ts';
import { createKeyPair, isActivePair, listPairs, type KeyPair, type KeyValues } from './keys.ts';
import type { Moment } from '../core/moment.ts';
import { createTenant, type TenantChange } from './tenants.ts';

/** The account that a new state begins with. */
export interface DemoSeed extends TenantChange, KeyValues {
  readonly id?: string | undefined;
  readonly endpoints: readonly NewEndpoint[];
  /** Accounts that the state must have at any time; the first of them is this one. */
  readonly accounts: readonly AccountSeed[];
}

/** Identifies an account, and the key pair of it to show. */
export interface NamedAccount {
  readonly name: string;
  readonly publishableKey?: string | null | undefined;
  readonly secretKey?: string | null | undefined;
}

/** The data of the demo account that an application needs. */
export interface Demo {
  tenantId: string;
  publishableKey: string;
  secretKey: string;
  /** Of the first webhook endpoint; null when there is none, or it does not sign. */
  webhookSecret: string | null;
}

/**
 * Adds the account when the state has none, and those that must be there at any time.
 * @throws {ServiceError} which says of those what its path is: `tenants[0] ("Wine"): …`
 */
export function seedDemo(db: Db, seed: DemoSeed, moment: Moment): void {
  if (db.count('tenants') === 0) addDemo(db, seed, moment);
  seed.accounts.forEach((account, index) => {
    try {
      ensureAccount(db, account, moment);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new ServiceError(
        error.code,
        `tenants[${index}] ("${account.name}"): ${error.message}`,
        error.details,
      );
    }
  });
}

function addDemo(db: Db, seed: DemoSeed, moment: Moment): void {
  const tenant = createTenant(db, seed, moment, seed.id);
  createKeyPair(db, tenant.id, moment, seed);
  for (const endpoint of seed.endpoints) createEndpoint(db, tenant.id, endpoint, moment);
}

/** Returns the named account with its named keys or, without a name, the first account that was created. */
export function readDemo(db: Db, named?: NamedAccount): Demo {
  const tenant = getDemoTenant(db, named);
  const { publishableKey = '', secretKey = '' } = readKeys(db, tenant, named);
  return { tenantId: tenant.id, publishableKey, secretKey, webhookSecret: readSecret(db, tenant) };
}

/**
 * The same accounts again, so that an application that was set up with their keys and secrets goes on working.
 * @param named The seed's accounts as they were asked for, with no keys but those that were named.
 */
export function toSameDemo(db: Db, seed: DemoSeed, named: readonly NamedAccount[]): DemoSeed {
  const demo = getDemoTenant(db, named[0]);
  const known = endpointsOf(db, demo.id);
  const endpoints = seed.endpoints.map((endpoint) => {
    const same = known.find(({ url }) => url === endpoint.url);
    return same ? { ...endpoint, secret: same.secret } : endpoint;
  });
  const accounts = seed.accounts.map((account, index) => {
    const tenant = findAccount(db, account.name);
    return tenant ? { ...account, ...readKeys(db, tenant, named[index]) } : account;
  });
  return { ...seed, id: demo.id, ...readKeys(db, demo, named[0]), endpoints, accounts };
}

function getDemoTenant(db: Db, named?: NamedAccount): TenantRow {
  const [first] = db.all('tenants');
  const tenant = (named && findAccount(db, named.name)) ?? first;
  if (!tenant) throw new Error('Cannot read the demo account: the state has no tenant');
  return tenant;
}

/** Deletes every row but the settings to be kept. */
export function forgetAll(db: Db, keepSettings: readonly string[]): void {
  const rows = Array.from(db.dump(), ([table, id]) => ({ table, id }));
  for (const { table, id } of rows) {
    if (table !== 'settings' || !keepSettings.includes(id)) db.delete(table, id);
  }
}

/**
 * The named ones, each with its partner when that can be used; and else a pair that can be: after a rotation
 * the account's first is revoked.
 */
function readKeys(db: Db, tenant: TenantRow, named?: NamedAccount): KeyValues {
  const pairs = listPairs(db, tenant.id);
  const isNamed = ({ publishable, secret }: KeyPair): boolean =>
    publishable.value === named?.publishableKey || secret.value === named?.secretKey;
  const byPreference = [...pairs.filter(isNamed), ...pairs];
  const pair = byPreference.find(isActivePair) ?? byPreference[0];
  return {
    publishableKey: named?.publishableKey ?? pair?.publishable.value,
    secretKey: named?.secretKey ?? pair?.secret.value,
  };
}

function readSecret(db: Db, tenant: TenantRow): string | null {
  return endpointsOf(db, tenant.id)[0]?.secret ?? null;
}
