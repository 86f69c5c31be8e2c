import {
  createEndpoint,
  deleteEndpoint,
  deleteLegacyWebhook,
  migrateLegacyWebhook,
  putLegacyWebhook,
  redeliver,
  updateEndpoint,
} from '../../../../mock-server/rules/endpoints.ts';
import { createKeyPair } from '../../../../mock-server/rules/keys.ts';
import { createTenant } from '../../../../mock-server/rules/tenants.ts';
import type { WebhookTester } from '../../../../mock-server/send/engine.ts';
import type { Db, Moment } from '../../../../mock-server/store/db.ts';
import type { EventKind } from '../../../../mock-server/store/event-kinds.ts';
import type { Store } from '../../../../mock-server/store/store.ts';
import type { EndpointPlan, Operation, Scenario } from './scenario.ts';

/** The accounts and webhooks of a scenario, and the operations on them. */
export class Operator {
  readonly tenants: string[] = [];
  readonly pairs: string[] = [];
  /** The endpoints of the first account, each with the number of its current address. */
  readonly endpoints: { id: string; name: string; address: number }[] = [];
  readonly #scenario: Scenario;
  readonly #moment: () => Moment;

  constructor(scenario: Scenario, moment: () => Moment) {
    this.#scenario = scenario;
    this.#moment = moment;
  }

  /** Returns the id of the endpoint at this place in the scenario, or of the legacy webhook if there is none. */
  idOf(endpoint: number): string {
    return this.endpoints[endpoint]?.id ?? this.tenants[0]!;
  }

  /** Creates the accounts and webhooks of the scenario. */
  async setUp(store: Store): Promise<void> {
    const { endpoints, legacy, timeoutAttempts } = this.#scenario;
    await store.transact((db) => {
      const moment = this.#moment();
      for (let n = 0; n < 2; n += 1) {
        const { id } = createTenant(db, { timeoutAttempts }, moment);
        this.tenants.push(id);
        this.pairs.push(createKeyPair(db, id, moment).pairId);
        if (n === 0) this.pairs.push(createKeyPair(db, id, moment).pairId);
      }
      for (const [n, plan] of endpoints.entries()) this.#addEndpoint(db, `e${n}`, plan, 0);
      if (legacy) {
        const { events, isSigned } = legacy;
        const secret = isSigned ? 'legacy secret' : null;
        const input = { url: toUrl('legacy', 0), events: events as EventKind[], secret };
        putLegacyWebhook(db, this.tenants[0]!, input, moment);
      }
      this.#addEndpoint(db, 'other', { events: ALL, isSigned: true, isScoped: false }, 1);
    });
  }

  #addEndpoint(
    db: Db,
    name: string,
    plan: Pick<EndpointPlan, 'events' | 'isSigned' | 'isScoped'>,
    tenant: number,
  ): string {
    const events = plan.events.length > 0 ? plan.events : ALL;
    const { id } = createEndpoint(
      db,
      this.tenants[tenant]!,
      {
        url: toUrl(name, 0),
        events: events as EventKind[],
        secret: plan.isSigned ? `secret of ${name}` : null,
        pairId: plan.isScoped ? this.pairs[1]! : null,
        enabled: true,
      },
      this.#moment(),
    );
    if (tenant === 0) this.endpoints.push({ id, name, address: 0 });
    return id;
  }

  /** Performs an operation on an endpoint, or on the legacy webhook. */
  async operate(
    { store, tester }: { readonly store: Store; readonly tester: WebhookTester },
    { kind, endpoint }: Operation,
  ): Promise<unknown> {
    const known = this.endpoints[endpoint];
    const id = this.idOf(endpoint);
    const { nowMs } = this.#moment();
    const update = (change: Parameters<typeof updateEndpoint>[2]) =>
      store.transact((db) => updateEndpoint(db, id, change, nowMs));
    switch (kind) {
      case 'disable':
        return update({ enabled: false });
      case 'enable':
        return update({ enabled: true });
      case 'secret':
        return update({ secret: `secret of ${nowMs}` });
      case 'move':
        if (!known) return null;
        known.address = 1 - known.address;
        return update({ url: toUrl(known.name, known.address) });
      case 'delete':
        return store.transact((db) => deleteEndpoint(db, id, nowMs));
      case 'test':
      case 'resume':
        return tester.test(id, { isResume: kind === 'resume' });
      case 'redeliver':
        return store.transact((db) => redeliver(db, id, nowMs));
      case 'add':
        return store.transact((db) =>
          this.#addEndpoint(
            db,
            `n${this.endpoints.length}`,
            { events: ALL, isSigned: true, isScoped: false },
            0,
          ),
        );
      case 'legacy_put': {
        const input = { url: toUrl('legacy', 1), events: ALL };
        return store.transact((db) =>
          putLegacyWebhook(db, this.tenants[0]!, input, this.#moment()),
        );
      }
      case 'legacy_delete':
        return store.transact((db) => deleteLegacyWebhook(db, this.tenants[0]!, nowMs));
      case 'legacy_migrate':
        return store.transact((db) => {
          const created = migrateLegacyWebhook(db, this.tenants[0]!, this.#moment());
          const address = created.url.includes('-1.') ? 1 : 0;
          this.endpoints.push({ id: created.id, name: 'legacy', address });
          return created;
        });
    }
  }
}

/** Returns the URL of an endpoint. `e0-1` is the second URL of the first endpoint. */
export function toUrl(name: string, address: number): string {
  return `https://${name}-${address}.shop.example/hook`;
}

const ALL: EventKind[] = [
  'session.started',
  'verification.completed',
  'verification.failed',
  'verification.cancelled',
  'session.timeout',
];
