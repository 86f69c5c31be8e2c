import { createMockService } from 'ofage-mock';
import { createControlClient } from 'ofage-mock/client';
import { createFetchSender } from '../../../mock-server/send/sender.ts';
import { createDemoBackend } from '../../../playground/demo-backend/demo-backend.ts';
import { createMemoryLabStore } from '../../../playground/demo-backend/lab-store.ts';
import { DEMO_QUERY } from '../../../playground/demo-backend/lab-mark.ts';
import { createObserve } from '../../../playground/demo-backend/observe.ts';
import { createMemoryStore } from '../../../playground/reference-backend/store.ts';

const SHOP = 'https://shop.ofage.example';

/** Starts the demo backend with its labs and a real mock service, connected to each other. */
export async function openLab() {
  const deliver: typeof fetch = async (url, init) => {
    const response = await backend.fetch(new Request(url, init));
    // In a browser, fetch() rejects with this error when the service worker responds with Response.error().
    if (response.type === 'error') throw new TypeError('Failed to fetch');
    return response;
  };
  const service = createMockService({
    clock: { frozen: true },
    endpoints: [{ url: `${SHOP}/shop/webhooks/ofage${DEMO_QUERY}` }],
    sender: createFetchSender({ fetch: deliver }),
  });
  const demo = await service.ready;
  const ask = (path: string, init?: RequestInit): Promise<Response> =>
    service.fetch(new Request(service.apiOrigin + path, init));
  const backend = createDemoBackend({
    secretKey: demo.secretKey,
    publishableKey: demo.publishableKey,
    webhookSecret: demo.webhookSecret ?? '',
    store: createMemoryStore(),
    labStore: createMemoryLabStore(),
    apiBase: `${service.apiOrigin}/api/v1`,
    fetch: (url, init) => service.fetch(new Request(url, init)),
    publicUrl: SHOP,
    breakConnection: () => Response.error(),
    observe: createObserve((observation) => service.control.addObservation(observation)),
  });

  const client = createControlClient({
    baseUrl: service.apiOrigin,
    fetch: (url, init) => service.fetch(new Request(url, init)),
  });
  const shop = async (path: string, init?: RequestInit): Promise<Response> =>
    backend.fetch(new Request(`${SHOP}/shop/${path}`, init));
  return { service, demo, backend, ask, client, shop, shopUrl: `${SHOP}/shop/` };
}

export type Lab = Awaited<ReturnType<typeof openLab>>;
