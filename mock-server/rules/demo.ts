import type { Demo } from '../api/state.ts';
import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import type { Moment } from '../store/moment.ts';
import type { TenantRow } from '../store/tables.ts';
import { type AccountSeed, ensureAccount, findAccount } from './accounts.ts';
import { createEndpoint, endpointsOf, type NewEndpoint } from './endpoints.ts';
import { createKeyPair, isActivePair, type KeyPair, type KeyValues, listPairs } from './keys.ts';
import { createTenant, type TenantChange } from './tenants.ts';

/** The account that is created in a new state. */
export interface DemoSeed extends TenantChange, KeyValues {
  readonly id?: string | undefined;
  readonly endpoints: readonly NewEndpoint[];
  /** Accounts that the state must contain at every start. If there are any, the first is this account. */
  readonly accounts: readonly AccountSeed[];
}

/**
 * The name of an account, and its keys to show. A key that is not set is chosen from the account's pairs.
 */
export interface NamedAccount {
  readonly name: string;
  readonly publishableKey?: string | null | undefined;
  readonly secretKey?: string | null | undefined;
}

/**
 * Adds the account if the state has none, and makes sure that the required accounts exist.
 * @throws {ServiceError} If the problem is in a required account, the message starts with the path of that
 *   account: `tenants[0] ("Wine"): …`
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

/**
 * Returns the named account with its named keys. If `named` is omitted or no account has that name, returns
 * the account that was created first.
 */
export function readDemo(db: Db, named?: NamedAccount): Demo {
  const tenant = getDemoTenant(db, named);
  const { publishableKey = '', secretKey = '' } = readKeys(db, tenant, named);
  return { tenantId: tenant.id, publishableKey, secretKey, webhookSecret: readSecret(db, tenant) };
}

/**
 * Returns a seed that recreates the current accounts, so that an application configured with their keys and
 * secrets keeps working.
 * @param named The accounts of the options, with only the keys that the options set.
 */
export function toSameDemo(db: Db, seed: DemoSeed, named: readonly NamedAccount[]): DemoSeed {
  const demo = getDemoTenant(db, named[0]);
  const accounts = seed.accounts.map((account, index) => {
    const tenant = findAccount(db, account.name);
    return tenant ? toSameAccount(db, account, tenant, named[index]) : account;
  });
  return { ...toSameAccount(db, seed, demo, named[0]), accounts };
}

/** Returns the seed with the account's id, its keys and the secrets of its endpoints. */
function toSameAccount<Seed extends DemoSeed | AccountSeed>(
  db: Db,
  seed: Seed,
  tenant: TenantRow,
  named: NamedAccount | undefined,
): Seed {
  const known = endpointsOf(db, tenant.id);
  const endpoints = seed.endpoints.map((endpoint) => {
    const same = known.find(({ url }) => url === endpoint.url);
    return same ? { ...endpoint, secret: same.secret } : endpoint;
  });
  return { ...seed, id: tenant.id, ...readKeys(db, tenant, named), endpoints };
}

function getDemoTenant(db: Db, named?: NamedAccount): TenantRow {
  const [first] = db.all('tenants');
  const tenant = (named && findAccount(db, named.name)) ?? first;
  if (!tenant) throw new Error('Cannot read the demo account: the state has no account');
  return tenant;
}

/** Deletes every row except the settings to keep. */
export function forgetAll(db: Db, keepSettings: readonly string[]): void {
  const rows = Array.from(db.dump(), ([table, id]) => ({ table, id }));
  for (const { table, id } of rows) {
    if (table !== 'settings' || !keepSettings.includes(id)) db.delete(table, id);
  }
}

/**
 * Returns the named keys. A key that is not named comes from an active pair if there is one, preferably
 * from the pair of the key that is named. The account's first pair may have been paused or revoked.
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
