import { randomBytes, randomUUID } from 'node:crypto';
import { DEFAULT_LIMITS } from './api.ts';
import type { Account, ApiKey, EventKind, Hook, Tables } from './model.ts';
import type { Webhooks } from './webhooks.ts';

const MOST_ENDPOINTS = 20;

type HookSettings = Partial<Hook> & { readonly url: string; readonly events: readonly EventKind[] };

/** The actions of the dashboard. The specification shows no HTTP API for them. */
export class Dashboard {
  readonly #tables: Tables;
  readonly #webhooks: Webhooks;

  constructor(tables: Tables, webhooks: Webhooks) {
    this.#tables = tables;
    this.#webhooks = webhooks;
  }

  createAccount(settings: Partial<Account> = {}): Account {
    const account: Account = {
      id: randomUUID(),
      allowedDomains: ['shop.example'],
      verificationMode: 'L1',
      challengeAge: 25,
      faceMatchEnabled: true,
      sandbox: true,
      timeoutAttempts: 3,
      billingBlock: null,
      limits: { ...DEFAULT_LIMITS },
      windows: new Map(),
      ...settings,
    };
    this.#tables.accounts.set(account.id, account);
    return account;
  }

  createKeyPair(account: Account): { publishable: ApiKey; secret: ApiKey } {
    const pairId = randomUUID();
    const create = (kind: ApiKey['kind'], prefix: string): ApiKey => {
      const text = `${prefix}_${randomBytes(16).toString('hex')}`;
      const key = { text, kind, account, pairId, active: true };
      this.#tables.keys.set(text, key);
      return key;
    };
    return { publishable: create('publishable', 'pk'), secret: create('secret', 'sk') };
  }

  deactivateKey(text: string): void {
    const key = this.#tables.keys.get(text);
    if (key) key.active = false;
  }

  async addEndpoint(account: Account, settings: HookSettings): Promise<Hook> {
    const own = [...this.#tables.endpoints.values()].filter((row) => row.account === account);
    if (own.length >= MOST_ENDPOINTS) throw new RangeError('An account has at most 20 endpoints');
    const hook = await this.#createHook(settings);
    this.#tables.endpoints.set(hook.id, { account, hook });
    return hook;
  }

  async editEndpoint(hook: Hook, changes: Partial<Hook>): Promise<void> {
    const changed = { ...hook, ...changes };
    await this.#webhooks.check(changed.url, changed.events);
    Object.assign(hook, changes);
    if (!hook.enabled) this.#webhooks.abandon(hook);
  }

  removeEndpoint(hook: Hook): void {
    this.#webhooks.abandon(hook);
    this.#tables.endpoints.delete(hook.id);
  }

  async setLegacyWebhook(account: Account, settings: HookSettings): Promise<string | null> {
    account.legacyWebhook = await this.#createHook(settings);
    return account.legacyWebhook.secret;
  }

  async migrateLegacyWebhook(account: Account): Promise<Hook> {
    if (!account.legacyWebhook) throw new Error('The account has no legacy webhook');
    const { url, secret, events } = account.legacyWebhook;
    const hook = await this.addEndpoint(account, { url, secret, events });
    delete account.legacyWebhook;
    return hook;
  }

  health(hook: Hook) {
    const { lastDeliveredAtMs, pausedAtMs, pauseReason } = hook;
    const isUndelivered = (one: { hook: Hook; state: string }) =>
      one.hook === hook && one.state === 'undelivered';
    const undelivered = this.#tables.deliveries.filter(isUndelivered).length;
    return { lastDeliveredAtMs, pausedAtMs, pauseReason, undelivered };
  }

  async #createHook(settings: HookSettings): Promise<Hook> {
    await this.#webhooks.check(settings.url, settings.events);
    return {
      id: randomUUID(),
      secret: `whsec_${randomBytes(24).toString('hex')}`,
      pairId: null,
      enabled: true,
      pausedAtMs: null,
      pauseReason: null,
      lastDeliveredAtMs: null,
      ...settings,
    };
  }
}
