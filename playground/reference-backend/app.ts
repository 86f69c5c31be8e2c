import { Hono } from 'hono';
import { type Client, type FetchLike, createClient, isOfAgeError } from 'ofage/server';
import { placeOrder } from './orders.ts';
import { readJson } from './read-json.ts';
import type { AccessState } from './responses.ts';
import { NEW_CUSTOMER, type ShopStore } from './store.ts';
import { type SignIn, createSignIn, requireSignIn } from './sign-in.ts';
import { type Decide, createVerification, toResultStore } from './verification.ts';
import { createShopWebhooks } from './webhooks.ts';

export interface ReferenceBackendOptions {
  /** The secret key, `sk_…`, from the environment. It must never reach a page. */
  readonly secretKey: string;
  /** The publishable key, `pk_…`. The page gets it from this server and passes it to the SDK. */
  readonly publishableKey: string;
  /** The signing secret of the webhook endpoint. */
  readonly webhookSecret: string;
  readonly store: ShopStore;
  /** The base URL of the service's API. @default production */
  readonly apiBase?: string | undefined;
  /** Sends the requests to the service. @default the runtime's `fetch` */
  readonly fetch?: FetchLike | undefined;
}

/** The shop's name, which the hosted page shows. */
export const SHOP_NAME = 'Kontor';

/**
 * Creates the server of a shop that sells only to adults. This is reference code, meant to be copied.
 *
 * Five rules matter here. Only the response of `validateSession` gives access, or a signed webhook if that
 * response was lost. A URL, a message or a page never does. The result is requested when the page comes
 * back or the webhook arrives, whichever is first, because a shopper may reload or close the page. The
 * session must belong to the signed-in customer. Webhooks are verified over the raw bytes of the body.
 * Every event may arrive more than once.
 */
export function createReferenceBackend(options: ReferenceBackendOptions): Hono {
  const { secretKey, publishableKey, webhookSecret, store, apiBase, fetch } = options;
  const resultStore = toResultStore(store);
  const client = createClient({ secretKey, baseUrl: apiBase, fetch, resultStore });
  const decide = createVerification(client, store);
  const signIn = createSignIn(secretKey);
  const webhooks = createShopWebhooks(store, webhookSecret, decide);

  const open = new Hono()
    .get('/config', (c) => c.json({ publishableKey, sdkUrl: null }))
    .post('/sign-in', async (c) => {
      const customerId = `customer-${crypto.randomUUID().slice(0, 8)}`;
      return c.json({ customerId, token: await signIn.issue(customerId) });
    })
    // Passes on the raw request, because the signature covers the exact bytes of the body.
    .post('/webhooks/ofage', (c) => webhooks(c.req.raw));

  return new Hono()
    .route('/shop', open)
    .route('/shop', customerRoutes(signIn, client, store, decide))
    .notFound((c) => c.json({ message: 'Page not found' }, 404))
    .onError((error, c) => {
      if (isOfAgeError(error)) return c.json({ code: error.code, message: error.message }, 502);
      console.error(error);
      return c.json({ message: 'The shop has a problem' }, 500);
    });
}

function customerRoutes(signIn: SignIn, client: Client, store: ShopStore, decide: Decide) {
  return (
    new Hono<{ Variables: { customerId: string } }>()
      .use(requireSignIn(signIn))
      // The webhook handler ignores events about customers who are not stored.
      .use((c, next) => ensureCustomer(store, c.var.customerId).then(next))
      .post('/checkout', async (c) => {
        // Server-side integration: this server creates the session. `returnUrl` comes from the browser, so
        // an attacker can choose it. The service checks it against the account's allowed domains.
        const body = await readJson(c.req.raw);
        const session = await client.createSession({
          returnUrl: String(body['returnUrl']),
          ...(typeof body['cancelUrl'] === 'string' ? { cancelUrl: body['cancelUrl'] } : {}),
          externalUserId: c.var.customerId,
          merchantName: SHOP_NAME,
        });
        const { sessionId: latestSessionId, verifyUrl } = session;
        await store.checkUrls.update(latestSessionId, () => verifyUrl);
        await store.customers.update(c.var.customerId, (customer = NEW_CUSTOMER) => ({
          ...customer,
          latestSessionId,
        }));
        return c.json({ sessionId: latestSessionId, verifyUrl });
      })
      .post('/verification', async (c) => {
        const { sessionId } = await readJson(c.req.raw);
        return c.json(await decide(c.var.customerId, String(sessionId)));
      })
      .get('/access', async (c) => {
        const { customerId } = c.var;
        const { access, ...stored } = (await store.customers.get(customerId)) ?? NEW_CUSTOMER;
        const { since = null, by = null } = access ?? {};
        const state: AccessState = { customerId, access: access !== null, since, by, ...stored };
        return c.json(state);
      })
      .post('/orders', async (c) => {
        const { items } = await readJson(c.req.raw);
        const order = await placeOrder(store, c.var.customerId, items);
        if ('number' in order) return c.json(order, 201);
        return c.json(order, order.code === 'age_not_confirmed' ? 403 : 400);
      })
      .get('/orders', async (c) => c.json((await store.orders.get(c.var.customerId)) ?? []))
      .delete('/access', async (c) => {
        await store.customers.update(c.var.customerId, () => NEW_CUSTOMER);
        return c.body(null, 204);
      })
  );
}

async function ensureCustomer({ customers }: ShopStore, customerId: string): Promise<void> {
  if (await customers.get(customerId)) return;
  await customers.update(customerId, (customer = NEW_CUSTOMER) => customer);
}
