import { type ReadonlySignal, computed, effect, untracked } from '@preact/signals';
import type { DeliveryResource, EndpointResource, SessionResource } from 'ofage/mock';
import { followList } from '../../shared/live/follow-list.ts';
import * as sources from '../../shared/live/sources.ts';
import type { Provider } from '../../shared/provider.ts';
import type { Order } from '../api.ts';
import { findEndpoint, findTenantId } from './account.ts';
import type { Shop } from '../state.ts';

/** The customer's data at the service and at the shop's server, with the state of the shop's webhooks. */
export interface CustomerRecord {
  readonly sessions: readonly SessionResource[];
  readonly orders: readonly Order[];
  readonly endpoint: EndpointResource | null;
  readonly deliveries: readonly DeliveryResource[];
}

const MOST_SESSIONS = 100;
const MOST_DELIVERIES = 1_000;
/** The delay that combines the many messages of one task into one request to the shop's server. */
const GATHER_MS = 250;

/** Follows the record of the signed-in customer. It is null until all of its parts are loaded. */
export function followRecord(
  shop: Shop,
  { client, live }: Pick<Provider, 'client' | 'live'>,
): { record: ReadonlySignal<CustomerRecord | null>; close(): void } {
  const customerId = computed(() => shop.facts.value.customerId);
  const tenantId = live.openQuery({
    topics: ['key'],
    read: () => findTenantId(shop.api, client),
  });
  const endpoints = followList(live, () => {
    const id = tenantId.query.data.value;
    return id === null ? null : sources.endpoints(id);
  });
  const endpoint = computed(() => endpoints.data.value && findEndpoint(endpoints.data.value));
  const deliveries = followList(
    live,
    () => endpoint.value && sources.deliveries({ endpointId: endpoint.value.id }, MOST_DELIVERIES),
  );
  const sessions = followList(live, () =>
    customerId.value === ''
      ? null
      : sources.sessions({ externalUserId: customerId.value }, MOST_SESSIONS),
  );
  const orders = live.openQuery({
    topics: ['session', 'endpoint', 'delivery'],
    gatherMs: GATHER_MS,
    async read() {
      const of = customerId.peek();
      return { of, orders: of === '' ? [] : await shop.api.orders() };
    },
  });
  // The live stream does not report orders, because they belong to the shop.
  const stopReloading = effect(() => {
    void shop.confirmation.value;
    void customerId.value;
    untracked(() => void orders.query.reload());
  });

  const record = computed(() => {
    const ordered = orders.query.data.value;
    const known = {
      sessions: sessions.data.value,
      orders: ordered?.of === customerId.value ? ordered.orders : null,
      deliveries: endpoint.value ? deliveries.data.value : [],
    };
    if (!endpoints.data.value || !known.sessions || !known.orders || !known.deliveries) return null;
    const { sessions: ofCustomer, orders: placed, deliveries: sent } = known;
    return { sessions: ofCustomer, orders: placed, endpoint: endpoint.value, deliveries: sent };
  });
  return {
    record,
    close() {
      stopReloading();
      for (const { close } of [tenantId, endpoints, deliveries, sessions, orders]) close();
    },
  };
}
