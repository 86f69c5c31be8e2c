import { type ReadonlySignal, computed, effect, untracked } from '@preact/signals';
import type { DeliveryResource, EndpointResource, SessionResource } from 'ofage-mock';
import type { Provider } from '../shared/provider.ts';
import type { Order } from '../shop/api.ts';
import { findEndpoint, findTenantId } from './account.ts';
import type { Shop } from '../shop/state.ts';

/** The customer's data at the service and at the shop's server, with the state of the shop's webhooks. */
export interface CustomerRecord {
  readonly sessions: readonly SessionResource[];
  readonly orders: readonly Order[];
  readonly endpoint: EndpointResource | null;
  readonly deliveries: readonly DeliveryResource[];
}

const MOST_SESSIONS = 100;
const MOST_DELIVERIES = 1_000;

/** Follows the record of the signed-in customer. It is null until all of its parts are loaded. */
export function followRecord(
  shop: Shop,
  { client, live }: Pick<Provider, 'client' | 'live'>,
): { record: ReadonlySignal<CustomerRecord | null>; close(): void } {
  const customerId = computed(() => shop.facts.value.customerId);
  const known = live.open({
    key: 'record',
    topics: ['key', 'session', 'endpoint', 'delivery'],
    async read() {
      const of = customerId.peek();
      const endpoint = findEndpoint(await client.endpoints(await findTenantId(shop.api, client)));
      const sent = { endpointId: endpoint?.id, limit: MOST_DELIVERIES };
      const [sessions, orders, deliveries] = await Promise.all([
        of === '' ? [] : client.sessions({ externalUserId: of, limit: MOST_SESSIONS }),
        of === '' ? [] : shop.api.orders(),
        endpoint ? client.deliveries(sent) : [],
      ]);
      return { of, sessions: sessions.toReversed(), orders, endpoint, deliveries };
    },
  });
  // No message reports an order or another customer, because both belong to the shop.
  const stopReloading = effect(() => {
    void shop.confirmation.value;
    void customerId.value;
    untracked(() => void known.reload());
  });
  return {
    record: computed(() => {
      const record = known.data.value;
      return record?.of === customerId.value ? record : null;
    }),
    close() {
      stopReloading();
      known.close();
    },
  };
}
