import {
  createMockService,
  type Sender,
  type ServiceOptions,
  type WebhookResult,
} from 'ofage/mock';

export const JANUARY = Date.UTC(2026, 0, 1);
export const HOOK = 'https://shop.example/webhooks';
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const answered = (status: number, retryAfter: string | null = null): WebhookResult => ({
  kind: 'response',
  status,
  retryAfter,
  address: '192.0.2.1',
  hops: 0,
});

/** An endpoint for all events. Without this option, the endpoint gets only completions. */
export const ALL_EVENTS: ServiceOptions = { endpoints: [{ url: HOOK, secret: 'a secret' }] };

export interface SentWebhook {
  readonly atMs: number;
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates a service on a frozen clock. `answer` returns the responses of its receivers. */
export async function createScene(
  answer: (url: string, n: number) => WebhookResult | Promise<WebhookResult>,
  options: ServiceOptions = {},
) {
  const sent: SentWebhook[] = [];
  const sender: Sender = {
    async send({ url, headers, body }) {
      sent.push({
        atMs: (await now()) - JANUARY,
        url,
        headers,
        body: new TextDecoder().decode(body),
      });
      return answer(url, sent.length);
    },
  };
  const service = createMockService({
    clock: { now: JANUARY, frozen: true },
    // Real time stands still, so that only the test moves the clock.
    realClock: { now: () => JANUARY, wakeAt: () => () => {} },
    tenant: { rateLimits: { create: 1_000_000, validate: 1_000_000 } },
    endpoints: [{ url: HOOK, secret: 'a secret', events: ['verification.completed'] }],
    sender,
    ...options,
  });
  const { tenantId, secretKey } = await service.ready;
  const now = async (): Promise<number> => (await service.clock.now()).getTime();
  const { control, clock } = service;
  const [endpoint] = await control.endpoints(tenantId);
  return {
    service,
    control,
    clock,
    sent,
    tenantId,
    endpointId: endpoint?.id ?? '',
    /** Completes sessions, and returns the id of the last one. */
    async complete(count = 1): Promise<string> {
      let id = '';
      for (let n = 0; n < count; n += 1) ({ id } = await control.trigger({ name: 'verified' }));
      return id;
    },
    /** Creates a session over the API, and returns its id. */
    async create(key: string = secretKey): Promise<string> {
      const response = await service.fetch(
        new Request('http://localhost/api/v1/sessions/create', {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ returnUrl: 'http://localhost/' }),
        }),
      );
      return ((await response.json()) as { sessionId: string }).sessionId;
    },
    advance: (ms: number) => clock.advance(ms),
    health: async () => (await control.endpoint(endpoint?.id ?? '')).health,
    async call(method: string, path: string, body?: unknown) {
      const response = await service.fetch(
        new Request(`http://127.0.0.1:4010/control/v1${path}`, {
          method,
          ...(body !== undefined && {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
        }),
      );
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as any) };
    },
  };
}

export const kindsOf = (sent: readonly { body: string }[]): string[] =>
  sent.map(({ body }) => (JSON.parse(body) as { event: string }).event);
