import { randomUUID } from 'node:crypto';
import { EndpointRefusal, type Driver } from 'ofage/conformance';
import { checkDestination } from './sending.ts';
import { settleSession } from './sessions.ts';
import { createAccount, createHook, createKey, toIso } from './state.ts';
import type { Account, Hook, Service } from './state.ts';
import { abandon, redeliver, resume, sendTest } from './webhooks.ts';

const MOST_ENDPOINTS = 20;
const MOST_EVENTS = 20;

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
    ...createWebhookFunctions(service),
  };
}

function createWebhookFunctions(service: Service): Driver {
  const { accounts, endpoints, legacyWebhooks } = service;
  return {
    async addEndpoint({ tenantId = '', ...settings }) {
      const hook = createHook(find(accounts, tenantId), settings);
      await checkHook(service, hook);
      return addEndpoint(service, hook);
    },
    async changeEndpoint(id, change) {
      const hook = find(endpoints, id);
      await checkHook(service, { ...hook, ...change });
      Object.assign(hook, change);
      if (!hook.enabled) abandon(hook);
    },
    async removeEndpoint(id) {
      const hook = find(endpoints, id);
      hook.enabled = false;
      abandon(hook);
      endpoints.delete(id);
    },
    testEndpoint: async (id) => sendTest(service, find(endpoints, id)),
    resumeEndpoint: async (id) => resume(service, find(endpoints, id)),
    redeliver: async (id) => redeliver(service, find(endpoints, id)),
    async endpointHealth(id) {
      const { pauseReason, deliveries, lastDeliveredAtMs } = find(endpoints, id);
      const undelivered = deliveries.filter(({ state }) => state === 'undelivered').length;
      const lastSuccessAt = lastDeliveredAtMs === null ? null : toIso(lastDeliveredAtMs);
      return { isPaused: pauseReason !== null, undelivered, lastSuccessAt };
    },
    async setLegacyWebhook(tenantId, url) {
      const hook = createHook(find(accounts, tenantId), { url });
      await checkHook(service, hook);
      legacyWebhooks.set(tenantId, hook);
      return hook.secret;
    },
    async migrateLegacyWebhook(tenantId) {
      const added = addEndpoint(service, find(legacyWebhooks, tenantId));
      legacyWebhooks.delete(tenantId);
      return added;
    },
  };
}

async function checkHook(
  { allowLoopback }: Service,
  { url, events }: Pick<Hook, 'url' | 'events'>,
) {
  if (events.length > MOST_EVENTS)
    throw new EndpointRefusal(`An endpoint has at most ${MOST_EVENTS} events`);
  await checkDestination(url, allowLoopback).catch((error: unknown) => {
    throw new EndpointRefusal(String(error));
  });
}

function addEndpoint({ endpoints }: Service, hook: Hook): Hook {
  const own = [...endpoints.values()].filter(({ account }) => account === hook.account);
  if (own.length >= MOST_ENDPOINTS)
    throw new EndpointRefusal(`An account has at most ${MOST_ENDPOINTS} endpoints`);
  endpoints.set(hook.id, hook);
  return hook;
}

function find<T>(rows: ReadonlyMap<string, T>, id: string): T {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`The second service has no ${id}`);
  return row;
}
