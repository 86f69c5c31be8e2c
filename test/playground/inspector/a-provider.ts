import { createMockService } from 'ofage/mock';
import { createProvider, type Provider } from '../../../playground/shared/provider.ts';

/**
 * Creates a provider whose service has one endpoint. The test sets the status of the endpoint's responses.
 */
export function aProvider() {
  let status = 200;
  const service = createMockService({
    clock: { now: Date.UTC(2026, 0, 1), frozen: true },
    endpoints: [{ url: 'https://shop.example/webhooks' }],
    sender: {
      send: async () => ({ kind: 'response', status, retryAfter: null, address: null, hops: 0 }),
    },
  });
  const provider: Provider = createProvider({
    fetch: service.fetch,
    apiOrigin: 'https://api.ofage.example',
  });
  return { service, provider, respondWith: (answer: number) => void (status = answer) };
}
