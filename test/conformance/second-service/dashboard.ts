import { randomUUID } from 'node:crypto';
import type { Driver } from 'ofage/conformance';
import { settleSession } from './sessions.ts';
import { createAccount, createKey, type Account, type Service } from './state.ts';

/** Creates the dashboard. The specification shows no HTTP API for it, so it is the kit's driver. */
export function createDashboard(service: Service): Driver {
  const { clock, accounts, keys, sessions } = service;
  function createKeyPair(account: Account) {
    const pairId = randomUUID();
    const publishable = createKey('pk', account, pairId);
    const secret = createKey('sk', account, pairId);
    for (const key of [publishable, secret]) keys.set(key.text, key);
    return { pairId, publishableKey: publishable.text, secretKey: secret.text };
  }
  return {
    now: async () => clock.now(),
    advance: clock.advance,
    async createAccount(settings) {
      const account = createAccount(settings);
      accounts.set(account.id, account);
      return { tenantId: account.id, ...createKeyPair(account) };
    },
    createKeyPair: async (tenantId) => createKeyPair(find(accounts, tenantId)),
    async setKeyStatus(key) {
      find(keys, key).isActive = false;
    },
    async settle({ sessionId }, status) {
      settleSession(service, find(sessions, sessionId), status);
    },
  };
}

function find<T>(rows: ReadonlyMap<string, T>, id: string): T {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`The second service has no ${id}`);
  return row;
}
