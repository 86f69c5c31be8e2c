import { createHmac } from 'node:crypto';
import type { WebhookRequest, WebhookResult } from 'ofage/mock';
import { createMockService } from 'ofage/mock/node';
import { breakService, toText, type BrokenService, type Json } from './broken-service.ts';

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

/** A webhook as its receiver saw it. */
export interface Received {
  request: WebhookRequest;
  payload: Json;
}

export const OK: WebhookResult = respond(200);

export function respond(status: number, retryAfter: string | null = null): WebhookResult {
  return { kind: 'response', status, retryAfter, address: null, hops: 0 };
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** A service with one account, one endpoint and a frozen clock, and a receiver that the test steers. */
export async function createWorld(broken: BrokenService) {
  const received: Received[] = [];
  const receiver = { answer: async (): Promise<WebhookResult> => OK };
  const { service, fetch } = breakService(broken, {
    sender: {
      async send(request) {
        received.push({ request, payload: JSON.parse(toText(request.body)) });
        return receiver.answer();
      },
    },
    create: (sender) =>
      createMockService({
        clock: { frozen: true, now: Date.UTC(2030, 0, 1, 12, 0, 20, 250) },
        tenant: { allowedDomains: ['shop.example'] },
        endpoints: [{ url: 'https://hooks.example/a' }],
        sender,
      }),
  });
  const { tenantId, secretKey, publishableKey, webhookSecret } = await service.ready;

  async function call(line: string, body?: unknown, headers: Record<string, string> = {}) {
    const [method, path] = line.split(' ') as [string, string];
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(text !== undefined && { body: text }),
      }),
    );
    const answer = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && answer ? JSON.parse(answer) : {},
    } as Answer;
  }
  const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

  const create = (body: Json = {}, key = secretKey, headers: Record<string, string> = {}) =>
    call(
      'POST /api/v1/sessions/create',
      { returnUrl: 'http://localhost/return', ...body },
      { ...withKey(key), ...headers },
    );

  return {
    service,
    received,
    receiver,
    call,
    tenantId,
    secretKey,
    publishableKey,
    withKey,
    create,
    validate: (sessionId: unknown, key = secretKey) =>
      call('POST /api/v1/sessions/validate', { sessionId }, withKey(key)),
    /** Creates a session with this outcome and lets its webhooks be sent. */
    async settled(scenario: 'verified' | 'failed_age_not_met' | 'cancelled', body?: Json) {
      const { sessionId } = (await create(body)).body;
      await service.control.settle(sessionId, scenario);
      await service.clock.advance(1000);
      return sessionId as string;
    },
    async endpoint() {
      return (await service.control.endpoints(tenantId))[0]!;
    },
    isSigned({ request }: Received, secret = webhookSecret): boolean {
      const digest = createHmac('sha256', secret ?? '')
        .update(request.body)
        .digest('hex');
      return request.headers['x-ofage-signature'] === `sha256=${digest}`;
    },
    last: (event: string) => received.findLast(({ payload }) => payload['event'] === event),
  };
}
