/**
 * The server behind the demo shop's pages: the unchanged reference backend, and routes for the labs and for
 * the shop's guide. A real shop does not need these routes.
 */
import { Hono } from 'hono';
import { type ReferenceBackendOptions, createReferenceBackend } from '../reference-backend/app.ts';
import { createCarelessShop } from './careless-shop.ts';
import { LAB_QUERY, toLabCustomer } from './lab-mark.ts';
import { createLabReceiver, toKeptWebhook } from './lab-receiver.ts';
import type { LabStore } from './lab-store.ts';
import { type Observe, observeNothing, observeStore } from './observe.ts';
import { readJson } from '../reference-backend/read-json.ts';
import { createSignIn } from '../reference-backend/sign-in.ts';

export interface DemoBackendOptions extends ReferenceBackendOptions {
  readonly apiBase: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly labStore: LabStore;
  /** The address at which the service reaches this backend, without a trailing slash. */
  readonly publicUrl: string;
  /** Reports the actions of the shops to the mock's doctor. @default reports nothing */
  readonly observe?: Observe;
  /** Ends a connection without a response. */
  readonly breakConnection: (env: unknown) => Response;
}

/** The id of the only row in the `captured` and `refusal` tables. */
const SHOP = 'shop';
const CAPTURED_KEPT = 20;

export function createDemoBackend(options: DemoBackendOptions): Hono {
  const { labStore, observe = observeNothing } = options;
  const shop = createReferenceBackend({ ...options, store: observeStore(options.store, observe) });

  const capture = async (request: Request): Promise<void> => {
    const kept = await toKeptWebhook(request);
    await labStore.captured.update(SHOP, (known = []) =>
      [{ n: (known[0]?.n ?? 0) + 1, ...kept }, ...known].slice(0, CAPTURED_KEPT),
    );
  };

  return new Hono()
    .post('/shop/webhooks/ofage', async (c) => {
      const { url, method, headers } = c.req.raw;
      const body = await c.req.raw.arrayBuffer();
      const copy = (): Request => new Request(url, { method, headers, body });
      // Stores a copy for the attack lab, as if an attacker had read the shop's log. If that fails, the
      // shop still handles the webhook.
      await capture(copy()).catch(() => undefined);
      return (await labStore.refusal.get(SHOP))?.refuses ? c.body(null, 401) : shop.fetch(copy());
    })
    .get('/shop/receiver', async (c) =>
      c.json((await labStore.refusal.get(SHOP)) ?? { refuses: false }),
    )
    .put('/shop/receiver', async (c) => {
      const { refuses } = await readJson(c.req.raw);
      if (typeof refuses !== 'boolean') {
        return c.json({ message: 'The body must be {"refuses": true} or {"refuses": false}' }, 400);
      }
      const state = { refuses };
      await labStore.refusal.update(SHOP, () => state);
      return c.json(state);
    })
    .route('/shop', labRoutes(options))
    .all('/shop/*', (c) => shop.fetch(c.req.raw));
}

/** Creates the routes that only the labs use. */
function labRoutes(options: DemoBackendOptions): Hono {
  const { secretKey, apiBase, fetch, labStore, publicUrl, breakConnection } = options;
  const { observe = observeNothing } = options;
  const signIn = createSignIn(secretKey);
  return new Hono()
    .post('/lab/sign-in', async (c) => {
      const customerId = toLabCustomer(crypto.randomUUID().slice(0, 8));
      return c.json({ customerId, token: await signIn.issue(customerId) });
    })
    .get('/lab/captured', async (c) => {
      const sessionId = c.req.query('sessionId');
      const items = (await labStore.captured.get(SHOP)) ?? [];
      return c.json({ items: items.filter((item) => item.sessionId === sessionId) });
    })
    .route(
      '/lab/receiver',
      createLabReceiver({
        store: labStore.receiver,
        url: `${publicUrl}/shop/lab/receiver${LAB_QUERY}`,
        breakConnection,
      }),
    )
    .route(
      '/careless',
      createCarelessShop({
        secretKey,
        apiBase,
        fetch,
        observe,
        customers: labStore.careless,
        signIn,
      }),
    );
}
