import type { Db } from '../core/db.ts';
import type { TenantRow } from '../core/tables.ts';
import { ensureAccount, findAccount, type AccountSeed } from './accounts.ts';
import { createEndpoint, type NewEndpoint } from './endpoints.ts';
import { createKeyPair, type KeyValues } from './keys.ts';
import type { Moment } from './moment.ts';
import { createTenant, type TenantChange } from './tenants.ts';

/** The account that a new state begins with. */
export interface DemoSeed extends TenantChange, KeyValues {
  readonly id?: string | undefined;
  readonly endpoints: readonly NewEndpoint[];
  /** Accounts that the state must have at any time; the first of them is this one. */
  readonly accounts: readonly AccountSeed[];
}

/** How to find an account, and which of its keys to show. */
export interface NamedAccount {
  readonly name: string;
  readonly publishableKey?: string | null | undefined;
  readonly secretKey?: string | null | undefined;
}

/** What an application needs to know of that account. */
export interface Demo {
  tenantId: string;
  publishableKey: string;
  secretKey: string;
  /** Of the first webhook endpoint; null when there is none, or it does not sign. */
  webhookSecret: string | null;
}

/** Adds the account when the state has none, and those that must be there at any time. */
export function seedDemo(db: Db, seed: DemoSeed, moment: Moment): void {
  if (db.count('tenants') === 0) addDemo(db, seed, moment);
  for (const account of seed.accounts) ensureAccount(db, account, moment);
}

function addDemo(db: Db, seed: DemoSeed, moment: Moment): void {
  const tenant = createTenant(db, seed, moment, seed.id);
  createKeyPair(db, tenant.id, moment, seed);
  for (const endpoint of seed.endpoints) createEndpoint(db, tenant.id, endpoint, moment);
}

/** The account that is named, by its named keys; or else the one that was there first, whatever became of it. */
export function readDemo(db: Db, named?: NamedAccount): Demo {
  const [first] = db.all('tenants');
  const tenant = (named && findAccount(db, named.name)) ?? first;
  if (!tenant) throw new Error('Cannot read the demo account: the state has no tenant');
  return {
    tenantId: tenant.id,
    ...readKeys(db, tenant, named),
    webhookSecret: readSecret(db, tenant),
  };
}

/** The same account again, so that an application that was set up with its keys and secrets goes on working. */
export function toSameDemo(db: Db, seed: DemoSeed): DemoSeed {
  const { tenantId: id, publishableKey, secretKey } = readDemo(db, seed.accounts[0]);
  const known = db.find('endpoints', 'tenantId', id);
  const endpoints = seed.endpoints.map((endpoint) => {
    const same = known.find(({ url }) => url === endpoint.url);
    return same ? { ...endpoint, secret: same.secret } : endpoint;
  });
  const accounts = seed.accounts.map((account) => {
    const tenant = findAccount(db, account.name);
    return tenant ? { ...account, ...readKeys(db, tenant, account) } : account;
  });
  return { ...seed, id, publishableKey, secretKey, endpoints, accounts };
}

/** Deletes every row but the settings to be kept. */
export function forgetAll(db: Db, keepSettings: readonly string[]): void {
  const rows = Array.from(db.dump(), ([table, id]) => ({ table, id }));
  for (const { table, id } of rows) {
    if (table !== 'settings' || !keepSettings.includes(id)) db.delete(table, id);
  }
}

function readKeys(
  db: Db,
  tenant: TenantRow,
  named?: NamedAccount,
): Pick<Demo, 'publishableKey' | 'secretKey'> {
  const keys = db.find('keys', 'tenantId', tenant.id);
  const valueOf = (kind: 'publishable' | 'secret'): string =>
    keys.find((key) => key.kind === kind)?.value ?? '';
  return {
    publishableKey: named?.publishableKey ?? valueOf('publishable'),
    secretKey: named?.secretKey ?? valueOf('secret'),
  };
}

function readSecret(db: Db, tenant: TenantRow): string | null {
  return db.find('endpoints', 'tenantId', tenant.id)[0]?.secret ?? null;
}
