import { type ScenarioName, createMockService } from 'ofage-mock';
import type { WebhookRequest } from '../../../mock-server/send/sender.ts';
import { createReferenceBackend } from '../../../playground/reference-backend/app.ts';
import {
  type ShopStore,
  type Table,
  createMemoryStore,
} from '../../../playground/reference-backend/store.ts';

/**
 * The URL of the endpoint. The sender below passes its requests to the backend, unless `losesWebhooks` is
 * true.
 */
const WEBHOOK_URL = 'https://shop.ofage.example/shop/webhooks/ofage';

/**
 * Opens the reference backend of the shop, connected to a real mock service. While `faults.validate` is true,
 * the backend cannot reach validate. `faults.write` says which of the next writes of its store fails: the
 * first is 0. `validateDelayMs` is the time that concurrent requests have to arrive, which nothing reports.
 */
export async function openShop({ losesWebhooks = false, validateDelayMs = 0 } = {}) {
  const faults: Faults = { validate: false, write: Infinity };
  const sent: WebhookRequest[] = [];
  const service = createMockService({
    clock: { frozen: true },
    endpoints: [{ url: WEBHOOK_URL }],
    sender: {
      async send(request) {
        sent.push(request);
        const status = losesWebhooks ? 503 : await deliver(request);
        return { kind: 'response', status, retryAfter: null, address: null, hops: 0 };
      },
    },
  });
  const demo = await service.ready;
  const store = withWriteFault(createMemoryStore(), faults);
  const validations: string[] = [];
  const createBackend = () =>
    createReferenceBackend({
      secretKey: demo.secretKey,
      publishableKey: demo.publishableKey,
      webhookSecret: demo.webhookSecret ?? '',
      store,
      fetch: async (url, init) => {
        if (url.endsWith('/validate')) {
          validations.push(init.body);
          if (faults.validate) throw new TypeError('fetch failed');
          await new Promise((resolve) => setTimeout(resolve, validateDelayMs));
        }
        return service.fetch(new Request(url, init));
      },
    });
  const backend = createBackend();

  const deliver = async ({ headers, body }: Pick<WebhookRequest, 'headers' | 'body'>) =>
    (
      await backend.request('/shop/webhooks/ofage', {
        method: 'POST',
        headers,
        body: Buffer.from(body),
      })
    ).status;

  const ask = async (method: string, path: string, token?: string, body?: object, by = backend) => {
    const response = await by.request(`/shop/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : null };
  };

  const signIn = async () => {
    const { body } = await ask('POST', 'sign-in', undefined, {});
    const { customerId, token } = body as { customerId: string; token: string };
    return {
      customerId,
      token,
      /** Starts a verification through the shop's server and settles it. */
      async check(scenario: ScenarioName): Promise<string> {
        const { body: checkout } = await ask('POST', 'checkout', token, {
          returnUrl: 'http://localhost/return/',
        });
        await service.control.settle(checkout.sessionId, scenario);
        return checkout.sessionId;
      },
      verification: async (sessionId: unknown, by = backend) =>
        (await ask('POST', 'verification', token, { sessionId } as object, by)).body,
      access: async () => (await ask('GET', 'access', token)).body,
    };
  };

  return { service, store, faults, validations, sent, ask, deliver, signIn, createBackend };
}

interface Faults {
  validate: boolean;
  write: number;
}

/** Returns the store so that the chosen write rejects, as if the connection to the database broke. */
function withWriteFault(store: ShopStore, faults: Faults): ShopStore {
  const withFault = <Row>(table: Table<Row>): Table<Row> => ({
    ...table,
    async update(id, change) {
      faults.write -= 1;
      if (faults.write === -1) throw new Error('The database is down');
      await table.update(id, change);
    },
  });
  return {
    customers: withFault(store.customers),
    verifications: withFault(store.verifications),
    checkUrls: withFault(store.checkUrls),
    completions: withFault(store.completions),
    grants: withFault(store.grants),
    events: withFault(store.events),
    orders: withFault(store.orders),
  };
}
