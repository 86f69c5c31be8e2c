import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { createIndexedDbLog, createMockService, type MockService } from 'ofage-mock';
import { createDemoBackend } from '../demo-backend/demo-backend.ts';
import { createIndexedDbLabStore, createIndexedDbStore } from '../demo-backend/indexeddb-store.ts';
import { DEMO_QUERY } from '../demo-backend/lab-mark.ts';
import { createObserve } from '../demo-backend/observe.ts';
import { SHOP_NAME } from '../reference-backend/app.ts';
import { followOutbox } from '../shared/outbox.ts';
import type { PackedService } from '../shared/static-service.ts';
import { SITE_ROOT, STATIC_API_ORIGIN, siteUrl } from '../shared/site.ts';

/**
 * The origin of the webhook endpoint. It looks public, but the service worker routes requests to it back to
 * the page that sends them.
 */
const SHOP_ORIGIN = 'https://shop.ofage.example';
const WEBHOOK_URL = `${SHOP_ORIGIN}/shop/webhooks/ofage${DEMO_QUERY}`;

/**
 * Starts the service and the demo backend in this page, behind a service worker. Their state is in
 * IndexedDB, so that every tab shares it and it survives navigation.
 */
export const startStaticMode: PackedService['startStaticMode'] = async () => {
  const stateName = `ofage-playground ${SITE_ROOT.pathname}`;
  const service = createMockService({
    log: createIndexedDbLog({ name: stateName }),
    apiOrigin: STATIC_API_ORIGIN,
    verifyUrl: siteUrl('verify/'),
    tenant: { name: SHOP_NAME, allowedDomains: [location.hostname] },
    endpoints: [{ url: WEBHOOK_URL }],
  });
  const askShop = createShopAsker(service, stateName);

  // Start the worker first. An open service delivers due webhooks at once, and without a worker they would
  // be sent over the network.
  await setupWorker(
    ...service.handlers,
    http.all(siteUrl('shop/*'), ({ request }) =>
      askShop(`/${request.url.slice(SITE_ROOT.href.length)}`, request),
    ),
    http.post(`${SHOP_ORIGIN}/shop/*`, ({ request }) =>
      askShop(new URL(request.url).pathname, request),
    ),
  ).start({
    quiet: true,
    onUnhandledFrame: 'bypass',
    serviceWorker: { url: siteUrl('mockServiceWorker.js') },
  });

  await followOutbox(service);
  return service;
};

/** Creates a function that sends requests to the demo backend. The first request creates it. */
function createShopAsker(
  service: MockService,
  stateName: string,
): (path: string, request: Request) => Promise<Response> {
  const openShop = async () => {
    const { publishableKey, secretKey, webhookSecret } = await service.ready;
    return createDemoBackend({
      publishableKey,
      secretKey,
      webhookSecret: webhookSecret ?? '',
      store: createIndexedDbStore(`${stateName} shop`),
      // Calls the service directly. The service worker would only route the request back to this page.
      fetch: (url, init) => service.fetch(new Request(url, init)),
      apiBase: `${STATIC_API_ORIGIN}/api/v1`,
      labStore: createIndexedDbLabStore(`${stateName} labs`),
      publicUrl: SHOP_ORIGIN,
      breakConnection: () => Response.error(),
      observe: createObserve((observation) => service.control.addObservation(observation)),
    });
  };
  let shop: ReturnType<typeof openShop> | undefined;
  return async (path, request) => {
    const { method, headers, signal } = request;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    // Buffers the body, because not every browser supports streams as request bodies.
    const body = hasBody ? await request.arrayBuffer() : null;
    shop ??= openShop();
    return (await shop).fetch(
      new Request(new URL(path, location.origin), { method, headers, body, signal }),
    );
  };
}
