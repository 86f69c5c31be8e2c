import {
  type WebhookClaim,
  type WebhookEvent,
  type WebhookHandler,
  type WebhookStore,
  createWebhookHandler,
} from 'ofage/server';
import { type Observe, SHOP_NAME } from './observe.ts';
import { NEW_CUSTOMER, type EventClaim, type ShopStore, type Table } from './shop-store.ts';

/** Creates the handler that verifies each webhook and processes each event once. */
export function createShopWebhooks(
  store: ShopStore,
  secret: string,
  observe: Observe,
): WebhookHandler {
  return createWebhookHandler({
    // A function reads the secret only when a webhook arrives, so a shop without one can still sell.
    secret: () => secret,
    store: toWebhookStore(store.events),
    async onEvent(event) {
      const { sessionId, externalUserId: customerId = null } = event.data;
      if (event.event === 'verification.completed') {
        await store.completions.update(sessionId, () => ({ customerId }));
      }
      await show(store, event, false);
      const { eventId } = event;
      if (eventId) await observe({ kind: 'webhook_processed', sessionId, eventId, by: SHOP_NAME });
    },
    onDuplicate: (event) => show(store, event, true),
  });
}

/** Stores an event for the customer's page. It never gives access: verification.ts does. */
async function show(store: ShopStore, event: WebhookEvent, duplicate: boolean): Promise<void> {
  const { sessionId, externalUserId: customerId } = event.data;
  if (customerId === undefined) return;
  const received = {
    eventId: event.eventId ?? null,
    event: event.event,
    sessionId,
    receivedAt: new Date().toISOString(),
    duplicate,
  };
  await store.customers.update(customerId, (customer = NEW_CUSTOMER) => ({
    ...customer,
    webhooks: [received, ...customer.webhooks].slice(0, 50),
  }));
}

/**
 * Creates the webhook store of `ofage/server` on a table of the shop. The table's `update` must be atomic.
 */
export function toWebhookStore(events: Table<EventClaim>): WebhookStore {
  return {
    async claim(key, token, leaseMs) {
      let claim: WebhookClaim = 'new';
      await events.update(key, (row) => {
        const nowMs = Date.now();
        if (row === undefined || row.untilMs <= nowMs) return { token, untilMs: nowMs + leaseMs };
        claim = row.token === null ? 'done' : 'in_progress';
        return row;
      });
      return claim;
    },
    complete: (key) =>
      events.update(key, () => ({ token: null, untilMs: Date.now() + EIGHT_DAYS_MS })),
    release: (key, token) => events.update(key, (row = VOID) => (row.token === token ? VOID : row)),
  };
}

const VOID: EventClaim = { token: '', untilMs: 0 };

/** Events can be redelivered for seven days, and each redelivery is retried for one more day. */
const EIGHT_DAYS_MS = 8 * 24 * 60 * 60 * 1000;
