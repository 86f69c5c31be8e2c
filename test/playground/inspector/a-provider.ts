import { createMockService } from 'ofage/mock';
import { createProvider, type Provider } from '../../../playground/shared/provider.ts';

/** The service as the pages reach it, and a receiver that answers with the status that it is told. */
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
  return { service, provider, tell: (answer: number) => void (status = answer) };
}
