import { EndpointRefusal, type Driver, type EndpointRequest } from '../../conformance/index.ts';
import { EVENT_KINDS, type Account, type Hook } from './second-service/model.ts';
import type { SecondService } from './second-service.ts';

/** Creates the conformance kit's access to the dashboard and the clock of the second service. */
export function createSecondDriver(service: SecondService): Driver {
  const { clock, dashboard, settle } = service;
  const accounts = new Map<string, Account>();
  const createKeyPair = (account: Account) => {
    const { publishable, secret } = dashboard.createKeyPair(account);
    const { pairId } = publishable;
    return { pairId, publishableKey: publishable.text, secretKey: secret.text };
  };
  return {
    now: async () => clock.now(),
    advance: (ms) => clock.advance(ms),
    settle: async ({ sessionId }, status) => settle(sessionId, status),
    async createAccount({ createLimit = 300, validateLimit = 100, ...settings }) {
      const { sandboxMode: sandbox = true, ...rest } = settings;
      const limits = { create: createLimit, validate: validateLimit };
      const account = dashboard.createAccount({ ...rest, sandbox, limits });
      accounts.set(account.id, account);
      return { tenantId: account.id, ...createKeyPair(account) };
    },
    createKeyPair: async (tenantId) => createKeyPair(find(accounts, tenantId)),
    setKeyStatus: async (key) => dashboard.deactivateKey(key),
    ...createEndpointFunctions(service, accounts),
  };
}

function createEndpointFunctions(
  { dashboard, webhooks }: SecondService,
  accounts: ReadonlyMap<string, Account>,
): Driver {
  const hooks = new Map<string, { account: Account; hook: Hook }>();
  const keep = (account: Account, hook: Hook) => {
    hooks.set(hook.id, { account, hook });
    return { id: hook.id, secret: hook.secret };
  };
  return {
    async addEndpoint({ tenantId = '', url, events = EVENT_KINDS, ...rest }: EndpointRequest) {
      const account = find(accounts, tenantId);
      const added = dashboard.addEndpoint(account, { url, events, ...rest });
      return keep(account, await added.catch(refuse));
    },
    removeEndpoint: async (id) => dashboard.removeEndpoint(find(hooks, id).hook),
    changeEndpoint: async (id, change) =>
      dashboard.editEndpoint(find(hooks, id).hook, change).catch(refuse),
    async testEndpoint(id) {
      const { account, hook } = find(hooks, id);
      return webhooks.test(account, hook);
    },
    async resumeEndpoint(id) {
      const { account, hook } = find(hooks, id);
      return webhooks.resume(account, hook);
    },
    redeliver: async (id) => webhooks.redeliver(find(hooks, id).hook),
    async endpointHealth(id) {
      const { pausedAtMs, undelivered, lastDeliveredAtMs } = dashboard.health(find(hooks, id).hook);
      const lastSuccessAt =
        lastDeliveredAtMs === null ? null : new Date(lastDeliveredAtMs).toISOString();
      return { isPaused: pausedAtMs !== null, undelivered, lastSuccessAt };
    },
    setLegacyWebhook: async (tenantId, url) =>
      dashboard
        .setLegacyWebhook(find(accounts, tenantId), { url, events: EVENT_KINDS })
        .catch(refuse),
    async migrateLegacyWebhook(tenantId) {
      const account = find(accounts, tenantId);
      return keep(account, await dashboard.migrateLegacyWebhook(account));
    },
  };
}

function find<T>(rows: ReadonlyMap<string, T>, id: string): T {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`The second service has no ${id}`);
  return row;
}

function refuse(error: unknown): never {
  throw new EndpointRefusal(error instanceof Error ? error.message : String(error));
}
