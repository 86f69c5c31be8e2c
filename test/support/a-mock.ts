import {
  createMockService,
  type MockService,
  type ServiceOptions,
  type WebhookResult,
} from 'ofage-mock';
import { onTestFinished } from 'vitest';
import { jsonHeaders, RETURN_URL, toAnswer, type Answer } from './api.ts';

export const ORIGIN = 'http://127.0.0.1:4010';
export const NEW_YEAR = Date.UTC(2026, 0, 1);
export const HOOK = 'https://shop.example/webhooks';

export interface SentWebhook {
  /** The time since the start, by the clock of the service. */
  readonly atMs: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface MockOptions extends ServiceOptions {
  /**
   * Returns the response of the receiver to the nth webhook, counted from 1.
   * @default a receiver that accepts all webhooks
   */
  readonly answer?: (url: string, n: number) => WebhookResult | Promise<WebhookResult>;
}

/** A service with a frozen clock and one account, and functions that call it through `fetch`. */
export interface Mock {
  readonly service: MockService;
  readonly control: MockService['control'];
  readonly clock: MockService['clock'];
  readonly tenantId: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** The webhooks that the service has sent, in order. */
  readonly sent: SentWebhook[];
  /** Sends a request to any path. A body is sent as JSON, together with the key if there is one. */
  request(path: string, init?: RequestParts): Promise<Answer>;
  /** Calls the control API. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  api(operation: 'create' | 'validate', key: string, body: object): Promise<Answer>;
  /** Calls the hosted page's API with a token. */
  hosted(action: string, token: string, body?: object): Promise<Answer>;
  /** Creates a session with the secret key, and returns the response's body. */
  create(body?: object): Promise<any>;
}

interface RequestParts {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Creates a mock that is closed when the test has finished. */
export async function aMock(options?: MockOptions): Promise<Mock> {
  const mock = await openMock(options);
  onTestFinished(() => mock.service.close());
  return mock;
}

/** Creates a mock that is never closed, as after a crash. Closing it would release its leases. */
export async function openMock({
  answer = () => answered(204),
  ...options
}: MockOptions = {}): Promise<Mock> {
  const sent: SentWebhook[] = [];
  const service = createMockService({
    clock: { now: NEW_YEAR, frozen: true },
    sender: {
      async send({ url, headers, body }) {
        const atMs = (await service.clock.now()).getTime() - NEW_YEAR;
        sent.push({ atMs, url, headers, body: new TextDecoder().decode(body) });
        return answer(url, sent.length);
      },
    },
    ...options,
  });
  const { tenantId, secretKey, publishableKey } = await service.ready;

  const request: Mock['request'] = async (path, { method = 'POST', key, headers, body } = {}) =>
    toAnswer(
      await service.fetch(
        new Request(ORIGIN + path, {
          method,
          headers: { ...jsonHeaders(key), ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
    );
  const mock: Mock = {
    service,
    control: service.control,
    clock: service.clock,
    tenantId,
    secretKey,
    publishableKey,
    sent,
    request,
    call: (method, path, body) => request(`/control/v1${path}`, { method, body }),
    api: (operation, key, body) => request(`/api/v1/sessions/${operation}`, { key, body }),
    hosted: (action, token, body = {}) =>
      action === 'session'
        ? request('/hosted/v1/session', { method: 'GET', key: token })
        : request(`/hosted/v1/${action}`, { key: token, body }),
    create: async (body = {}) =>
      (await mock.api('create', secretKey, { returnUrl: RETURN_URL, ...body })).body,
  };
  return mock;
}

/** Returns a receiver's response. */
export const answered = (status: number, retryAfter: string | null = null): WebhookResult => ({
  kind: 'response',
  status,
  retryAfter,
  address: '192.0.2.1',
  hops: 0,
});
