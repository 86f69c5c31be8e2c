import { SHOP_NAME } from '../reference-backend/app.ts';
import { NEW_CUSTOMER, type ShopStore } from '../reference-backend/store.ts';

/** An action of a shop's server, which the mock's doctor compares with what the service knows. */
export interface Observation {
  readonly kind: 'access_granted' | 'url_status_trusted' | 'webhook_processed';
  readonly sessionId: string;
  readonly eventId?: string;
  /** The name of the program that reports. */
  readonly by: string;
}

export type Observe = (observation: Observation) => Promise<void>;

/** @param addObservation Adds an observation through the mock's control API */
export function createObserve(
  addObservation: (observation: Observation) => Promise<unknown>,
): Observe {
  return async (observation) => {
    // A failed report must not affect the shop or its customers.
    await addObservation(observation).catch(() => undefined);
  };
}

export const observeNothing: Observe = async () => {};

/**
 * Returns the shop's store so that each access and each processed event in it is reported to the mock's
 * doctor. The shop's own code contains nothing for the doctor, because production has none.
 */
export function observeStore(store: ShopStore, observe: Observe): ShopStore {
  const { customers } = store;
  return {
    ...store,
    customers: {
      ...customers,
      async update(id, change) {
        let before = NEW_CUSTOMER;
        let after = NEW_CUSTOMER;
        await customers.update(id, (row) => {
          before = row ?? NEW_CUSTOMER;
          after = change(row);
          return after;
        });
        if (after.access && !before.access) {
          const { sessionId } = after.access;
          await observe({ kind: 'access_granted', sessionId, by: SHOP_NAME });
        }
        const [webhook] = after.webhooks;
        if (!webhook || webhook === before.webhooks[0] || webhook.duplicate) return;
        const { sessionId, eventId } = webhook;
        if (eventId)
          await observe({ kind: 'webhook_processed', sessionId, eventId, by: SHOP_NAME });
      },
    },
  };
}
