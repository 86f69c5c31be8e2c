import { createMockService, type WebhookRequest } from 'ofage/mock';
import {
  breakService,
  CREATE,
  readJson,
  type BrokenService,
  type Fetch,
  type Json,
} from '../broken-services/broken-service.ts';

export const RETURN = { returnUrl: 'http://localhost:3000/return' };
export const HOOK = 'https://hooks.example/a';
export const MINUTE_MS = 60_000;

const PUBLIC_ADDRESS = '93.184.216.34';

/** A service, possibly a broken one, with the receiver of its webhooks. */
export interface Stage {
  sent: WebhookRequest[];
  /** What receivers answer. */
  receiver: { status: number; retryAfter: string | null };
  tenant: string;
  publishable: string;
  secret: string;
  /** Calls the API or the control API, and returns the body with the status. */
  call(route: string, body?: Json, key?: string): Promise<Json>;
  headers(route: string, body: Json, key: string): Promise<Headers>;
  create(body?: Json, key?: string): Promise<string>;
  settle(sessionId: string): Promise<unknown>;
  addEndpoint(body?: Json): Promise<Json>;
  now(): Promise<number>;
  advance(ms: number): Promise<unknown>;
}

export async function openStage(broken: BrokenService): Promise<Stage> {
  const sent: WebhookRequest[] = [];
  const receiver: Stage['receiver'] = { status: 200, retryAfter: null };
  const { service, fetch } = breakService(broken, {
    sender: {
      async send(request) {
        sent.push(request);
        return { kind: 'response', ...receiver, address: null, hops: 0 };
      },
    },
    create: (sender) =>
      createMockService({
        clock: { frozen: true },
        sender,
        resolve: async () => [PUBLIC_ADDRESS],
      }),
  });
  const { tenantId, publishableKey, secretKey } = await service.ready;
  const tenant = `/tenants/${tenantId}`;
  const ask = (route: string, body?: Json, key?: string): ReturnType<Fetch> => {
    const [method = '', path = ''] = route.split(' ');
    const headers = new Headers({ 'content-type': 'application/json' });
    if (key) headers.set('authorization', `Bearer ${key}`);
    const init = body ? { method, headers, body: JSON.stringify(body) } : { method, headers };
    const url = `http://localhost${path.startsWith('/api/') ? '' : '/control/v1'}${path}`;
    return fetch(new Request(url, init));
  };
  const call: Stage['call'] = async (...options) => {
    const response = await ask(...options);
    return { ...(await readJson(response)), httpStatus: response.status };
  };
  return {
    sent,
    receiver,
    tenant,
    publishable: publishableKey!,
    secret: secretKey!,
    call,
    headers: async (...options) => (await ask(...options)).headers,
    async create(body = {}, key = secretKey!) {
      return (await call(`POST ${CREATE}`, { ...RETURN, ...body }, key))['sessionId'];
    },
    settle: (sessionId) => service.control.settle(sessionId, 'verified'),
    addEndpoint: (body = {}) => call(`POST ${tenant}/webhook-endpoints`, { url: HOOK, ...body }),
    now: async () => Date.parse((await call('GET /clock'))['now']),
    // Without a step of the clock, webhooks that are due are not sent.
    advance: (ms) => service.clock.advance(ms),
  };
}

export async function statusOf(answer: Promise<Json>): Promise<number> {
  return (await answer)['httpStatus'];
}
