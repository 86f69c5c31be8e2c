import type { AccountInput, TenantInput } from '../api/accounts.ts';
import type { Demo } from '../api/state.ts';
import { forgetChanges, recordChange } from '../store/changes.ts';
import { CLOCK_ID } from '../store/clock.ts';
import type { Db, Moment } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import { type Random, toHex } from '../store/random.ts';
import type { TenantRow } from '../store/rows.ts';
import {
  createEndpoint,
  endpointsOf,
  type NewEndpoint,
  newWebhookSecret,
  updateEndpoint,
} from './endpoints.ts';
import {
  createKeyPair,
  isActivePair,
  type KeyPair,
  type KeyValues,
  listPairs,
  replaceKey,
} from './keys.ts';
import { KNOWN_KEYS_ID } from './known-keys.ts';
import { findReservedSecret, reserveSecret, toReservedId } from './reserved-secret.ts';
import { createTenant, updateTenant } from './tenants.ts';

// demo account      The account that a new state gets: the first of the required accounts, if there are any.
// required account  An account of the service's options. Every start adds it or updates it.
// named account     The name of a required account, and those of its keys that the options set.
// seed              What the demo account and the required accounts are created from.

/** The accounts that are created in a new state and again after a reset. */
interface FirstAccounts {
  /** Creates the demo account in a new state, and adds or updates the required accounts. */
  add(db: Db, seed: DemoSeed): void;
  /**
   * Deletes everything except the signing key, the reserved secret and where the keys came from. Recreates
   * the accounts with the same keys and secrets.
   * @throws {Error} if `add` was not called
   */
  reset(db: Db): Demo;
  find(db: Db): Demo;
}

interface FirstAccountsOptions {
  /** The required accounts. `find` and `reset` return the first of them, otherwise the demo account. */
  readonly named: readonly NamedAccount[];
  readonly clockStart: ClockStart;
  readonly realNow: () => number;
  readonly momentIn: (db: Db) => Moment;
}

export function createFirstAccounts(options: FirstAccountsOptions): FirstAccounts {
  const { named, clockStart, realNow, momentIn } = options;
  /** The seed with the keys and secrets of the start, so that a deleted endpoint gets its secret again. */
  let startSeed: DemoSeed | null = null;

  function addAll(db: Db, seed: DemoSeed): void {
    const isNew = db.count('tenants') === 0;
    if (isNew) startClock(db, clockStart, realNow());
    // Read after the clock was set, so that the accounts have its time.
    const moment = momentIn(db);
    if (isNew) addDemo(db, seed, moment);
    ensureAccounts(db, seed.accounts, moment);
    ensureWebhookSecret(db, getDemoTenant(db, named[0]).id, moment);
    // A new state begins with its accounts, so they are not changes of it.
    if (isNew) forgetChanges(db);
  }

  return {
    add(db, seed) {
      addAll(db, seed);
      startSeed = toCurrentSeed(db, seed, named);
    },
    reset(db) {
      if (!startSeed) throw new Error('Cannot reset the state: it was not opened');
      const seed = toCurrentSeed(db, startSeed, named);
      forgetAll(db, [SIGNING_KEY_ID, KNOWN_KEYS_ID, toReservedId(seed.id ?? '')]);
      addAll(db, seed);
      recordChange(db, { kind: 'state.reset' });
      return readDemo(db, named[0]);
    },
    find: (db) => readDemo(db, named[0]),
  };
}

/** The seed of the demo account, and of the required accounts. */
export interface DemoSeed extends TenantInput, KeyValues {
  readonly id?: string | undefined;
  readonly endpoints: readonly NewEndpoint[];
  /** The required accounts. The service's options make the first of them the demo account. */
  readonly accounts: readonly AccountSeed[];
}

type NamedAccount = Pick<AccountInput, 'name' | 'publishableKey' | 'secretKey'>;

function addDemo(db: Db, seed: DemoSeed, moment: Moment): void {
  const tenant = createTenant(db, seed, moment, seed.id);
  createKeyPair(db, tenant.id, moment, seed);
  for (const endpoint of seed.endpoints) createEndpoint(db, tenant.id, endpoint, moment);
}

/**
 * Adds or updates the required accounts.
 * @throws {ServiceError} with a message that starts with the path of the account: `tenants[0] ("Wine"): …`
 */
function ensureAccounts(db: Db, seeds: readonly AccountSeed[], moment: Moment): void {
  seeds.forEach((seed, index) => {
    try {
      ensureAccount(db, seed, moment);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new ServiceError(
        error.code,
        `tenants[${index}] ("${seed.name}"): ${error.message}`,
        error.details,
      );
    }
  });
}

/**
 * Returns the named account with its named keys. If `named` is omitted or no account has that name, returns
 * the account that was created first.
 */
function readDemo(db: Db, named?: NamedAccount): Demo {
  const tenant = getDemoTenant(db, named);
  const { publishableKey = '', secretKey = '' } = readKeys(db, tenant, named);
  const [endpoint] = endpointsOf(db, tenant.id);
  const webhookSecret = endpoint ? endpoint.secret : findReservedSecret(db, tenant.id);
  return { tenantId: tenant.id, publishableKey, secretKey, webhookSecret: webhookSecret ?? null };
}

/** Reserves a secret for an account without an endpoint, so that it can be configured in advance. */
function ensureWebhookSecret(db: Db, tenantId: string, { random }: Moment): void {
  if (endpointsOf(db, tenantId).length > 0) return;
  if (findReservedSecret(db, tenantId) !== undefined) return;
  reserveSecret(db, tenantId, newWebhookSecret(db, random));
}

/**
 * Returns a seed that recreates the current accounts, so that an application configured with their keys and
 * secrets keeps working.
 */
function toCurrentSeed(db: Db, seed: DemoSeed, named: readonly NamedAccount[]): DemoSeed {
  const demo = getDemoTenant(db, named[0]);
  const accounts = seed.accounts.map((account, index) => {
    const tenant = findAccount(db, account.name);
    return tenant ? toCurrentAccount(db, account, tenant, named[index]) : account;
  });
  return { ...toCurrentAccount(db, seed, demo, named[0]), accounts };
}

/** Returns the seed with the account's id, its keys and the secrets of its endpoints. */
function toCurrentAccount<Seed extends DemoSeed | AccountSeed>(
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
 * Returns the named keys. A key that is not named comes from the first of these pairs that exists, because
 * the account's first pair may have been paused or revoked:
 *
 * 1. an active pair with the named key
 * 2. an active pair
 * 3. a pair with the named key
 * 4. any pair
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

/** An account that the state must have. */
export interface AccountSeed extends TenantInput, KeyValues {
  readonly name: string;
  /** The id of the account if it is created. @default a random id */
  readonly id?: string | undefined;
  readonly endpoints: readonly NewEndpoint[];
}

/**
 * Adds the account, or updates the existing account of that name. Endpoints and key pairs that are not in
 * the seed are left unchanged.
 */
function ensureAccount(db: Db, seed: AccountSeed, moment: Moment): TenantRow {
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

function findAccount(db: Db, name: string): TenantRow | undefined {
  return [...db.all('tenants')].find((tenant) => tenant.name === name);
}

/**
 * Adds the given keys to the account where it does not have them:
 *
 * - No key is given: adds a random pair if the account has none.
 * - The account has none of the given keys: adds a pair with them.
 * - It has one of two given keys: the pair of that key gets the other one in place of its current key.
 * - It has all given keys: does nothing, even if they are in different pairs, paused or revoked.
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

/** Start time of a new state's clock, and whether the clock is frozen. */
interface ClockStart {
  readonly now?: Date | number | undefined;
  readonly frozen?: boolean | undefined;
}

/**
 * Sets the clock of a new state from the options. If neither option is set, virtual time equals real time.
 */
function startClock(db: Db, { now, frozen = false }: ClockStart, realNowMs: number): void {
  if (now === undefined && !frozen) return;
  const nowMs = now === undefined ? realNowMs : Number(now);
  db.put('clock', {
    id: CLOCK_ID,
    frozenAtMs: frozen ? nowMs : null,
    offsetMs: nowMs - realNowMs,
  });
}

/** Creates the key that signs session tokens, once per state, so that tokens stay valid after a restart. */
export function ensureSigningKey(db: Db, random: Random): void {
  if (db.get('settings', SIGNING_KEY_ID)) return;
  db.put('settings', { id: SIGNING_KEY_ID, value: toHex(random.bytes(32)) });
}

export const SIGNING_KEY_ID = 'signing-key';
