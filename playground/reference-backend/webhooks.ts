import {
  type WebhookClaim,
  type WebhookEvent,
  type WebhookHandler,
  type WebhookStore,
  createWebhookHandler,
} from 'ofage/server';
import { NEW_CUSTOMER, type EventClaim, type ShopStore, type Table } from './store.ts';
import type { Decide } from './verification.ts';

/**
 * Creates the handler that verifies each webhook and processes each event once. The webhook of a passed
 * check starts its validation, because the page that waits for the result may be gone.
 */
export function createShopWebhooks(
  store: ShopStore,
  secret: string,
  decide: Decide,
): WebhookHandler {
  return createWebhookHandler({
    // The secret is a function, because createWebhookHandler() throws at once for an empty string. A shop
    // without a secret can still sell, and only its webhooks fail.
    secret: () => secret,
    store: toWebhookStore(store.events),
    async onEvent(event) {
      const customerId = await findCustomer(store, event);
      if (customerId === null) return;
      const { sessionId, timestamp: completedAt } = event.data;
      if (event.event === 'verification.completed') {
        await store.completions.update(sessionId, () => ({ customerId, completedAt }));
        // A late event must not restore access that was deleted. A stored result is not enough to skip this,
        // because giving the access may have failed. If this rejects, the service sends the event again.
        if (!(await store.grants.get(sessionId))) await decide(customerId, sessionId);
      }
      await show(store, customerId, event, false);
    },
    async onDuplicate(event) {
      const customerId = await findCustomer(store, event);
      if (customerId !== null) await show(store, customerId, event, true);
    },
  });
}

/**
 * Returns the customer whom the event is about, or null if this shop does not know them. In that case
 * another integration of the account started the session, and has to validate it itself.
 */
async function findCustomer(store: ShopStore, { data }: WebhookEvent): Promise<string | null> {
  const { externalUserId: customerId = '' } = data;
  return (await store.customers.get(customerId)) ? customerId : null;
}

/** Stores an event for the customer's page. It never grants access, which only verification.ts does. */
async function show(
  store: ShopStore,
  customerId: string,
  event: WebhookEvent,
  duplicate: boolean,
): Promise<void> {
  const { sessionId, timestamp: happenedAt } = event.data;
  const received = {
    eventId: event.eventId ?? null,
    event: event.event,
    sessionId,
    happenedAt,
    receivedAt: new Date().toISOString(),
    duplicate,
  };
  await store.customers.update(customerId, (customer = NEW_CUSTOMER) => ({
    ...customer,
    ...(event.event === 'session.started' && { latestSessionId: sessionId }),
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
