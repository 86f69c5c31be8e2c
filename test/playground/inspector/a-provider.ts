import { createMockService, type WebhookResult } from 'ofage/mock';
import type { Receiver } from '../../../playground/inspector/receiver.ts';
import type { Answer } from '../../../playground/inspector/scenario-file.ts';
import { createProvider, type Provider } from '../../../playground/shared/provider.ts';

const RESULTS: Readonly<
  Record<Answer, Pick<WebhookResult & { kind: 'response' }, 'status'> | null>
> = {
  ok: { status: 200 },
  unauthorized: { status: 401 },
  gone: { status: 410 },
  server_error: { status: 500 },
  too_many: { status: 429 },
  hang: null,
  reset: null,
};

/** The service as the pages reach it, and a receiver that answers as it is told. */
export function aProvider() {
  let answer: Answer = 'ok';
  const service = createMockService({
    clock: { now: Date.UTC(2026, 0, 1), frozen: true },
    endpoints: [{ url: 'https://shop.example/webhooks' }],
    sender: {
      async send() {
        const result = RESULTS[answer];
        const shared = { address: null, hops: 0 };
        return result
          ? { kind: 'response', ...result, retryAfter: null, ...shared }
          : { kind: 'failure', error: answer === 'hang' ? 'timeout' : 'reset', ...shared };
      },
    },
  });
  const tell = async (how: Answer): Promise<void> => {
    answer = how;
  };
  const receiver: Receiver = {
    url: 'https://receiver.example/hook',
    answer: tell,
    async borrow() {
      const before = answer;
      await tell('ok');
      return () => tell(before);
    },
  };
  const provider: Provider = createProvider({
    fetch: service.fetch,
    apiOrigin: 'https://api.ofage.example',
  });
  return { service, provider, receiver, tell };
}
