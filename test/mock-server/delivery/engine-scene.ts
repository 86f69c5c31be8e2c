import {
  createMockService,
  type Sender,
  type ServiceOptions,
  type WebhookResult,
} from 'ofage/mock';

export const JANUARY = Date.UTC(2026, 0, 1);
export const HOOK = 'https://shop.example/webhooks';
export const answered = (status: number, retryAfter: string | null = null): WebhookResult => ({
  kind: 'response',
  status,
  retryAfter,
  address: '192.0.2.1',
  hops: 0,
});

/** Options with one endpoint that receives only completions. */
export const ONLY_ENDS: ServiceOptions = {
  endpoints: [{ url: HOOK, secret: 'first secret', events: ['verification.completed'] }],
};

/** Creates a service with one endpoint for all events. The test sets what its receiver responds. */
export async function createScene(answer: Sender['send'], options: ServiceOptions = {}) {
  const sent: { url: string; body: string; headers: Readonly<Record<string, string>> }[] = [];
  const service = createMockService({
    clock: { now: JANUARY, frozen: true },
    sender: {
      send(request) {
        const { url, headers, body } = request;
        sent.push({ url, headers, body: new TextDecoder().decode(body) });
        return answer(request);
      },
    },
    endpoints: [{ url: HOOK, secret: 'first secret' }],
    ...options,
  });
  const { secretKey, tenantId } = await service.ready;
  const create = async (key = secretKey): Promise<string> => {
    const response = await service.fetch(
      new Request('http://localhost/api/v1/sessions/create', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ returnUrl: 'http://localhost/' }),
      }),
    );
    return ((await response.json()) as { sessionId: string }).sessionId;
  };
  const createSettled = async (): Promise<string> => {
    const { id } = await service.control.settle(await create(), 'verified');
    return id;
  };
  const flush = () => service.clock.advance(0);
  return { service, sent, tenantId, create, createSettled, flush, control: service.control };
}

/** Returns the kinds of the events in these requests. */
export const kindsOf = (sent: readonly { body: string }[]): string[] =>
  sent.map(({ body }) => (JSON.parse(body) as { event: string }).event);
