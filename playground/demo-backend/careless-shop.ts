/**
 * DO NOT COPY. This shop makes common mistakes, so that the attack lab can exploit them. The reference in
 * app.ts does the same correctly.
 */
import { Hono } from 'hono';
import { LAB_HEADERS } from './lab-mark.ts';
import type { Observe } from './observe.ts';
import type { Table } from '../reference-backend/store.ts';
import { type SignIn, requireSignIn } from '../reference-backend/sign-in.ts';

export interface CarelessCustomer {
  readonly access: { readonly sessionId: string; readonly because: string } | null;
  /** The number of vouchers. A passed check should give one. */
  readonly vouchers: number;
}

export interface CarelessShopOptions {
  readonly secretKey: string;
  readonly apiBase: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly customers: Table<CarelessCustomer>;
  readonly signIn: SignIn;
  readonly observe: Observe;
}

const NOBODY: CarelessCustomer = { access: null, vouchers: 0 };
const BY = 'careless shop';

export function createCarelessShop(options: CarelessShopOptions): Hono {
  const { customers, observe } = options;
  const letIn: LetIn = async (customerId, sessionId, because) => {
    await customers.update(customerId, (customer = NOBODY) => ({
      ...customer,
      access: { sessionId, because },
    }));
    await observe({ kind: 'access_granted', sessionId, by: BY });
  };

  return new Hono()
    .route('/', webhookRoutes(options, letIn))
    .route('/', customerRoutes(options, letIn))
    .onError((_error, c) => c.json({ message: 'The careless shop failed' }, 500));
}

type LetIn = (customerId: string, sessionId: string, because: string) => Promise<void>;

/** Mistake: no signature check. Anyone who knows this address can send a forged webhook. */
function webhookRoutes({ customers, observe }: CarelessShopOptions, letIn: LetIn) {
  return new Hono().post('/webhooks', async (c) => {
    const { event, eventId, data } = await c.req.json();
    if (event === 'verification.completed') {
      await letIn(data.externalUserId, data.sessionId, 'a webhook claimed it');
      // Mistake: runs for every delivery, although an event can be delivered more than once.
      await customers.update(data.externalUserId, (customer = NOBODY) => ({
        ...customer,
        vouchers: customer.vouchers + 1,
      }));
      await observe({ kind: 'webhook_processed', sessionId: data.sessionId, eventId, by: BY });
    }
    return c.body(null, 200);
  });
}

function customerRoutes(options: CarelessShopOptions, letIn: LetIn) {
  const { secretKey, apiBase, fetch, customers, signIn, observe } = options;
  return (
    new Hono<{ Variables: { customerId: string } }>()
      .use(requireSignIn(signIn))
      .post('/checkout', async (c) => {
        const { returnUrl } = await c.req.json();
        const response = await fetch(`${apiBase}/sessions/create`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({ returnUrl, externalUserId: c.var.customerId }),
        });
        return c.json(await response.json());
      })
      .get('/access', async (c) => {
        const { customerId } = c.var;
        const { access, vouchers } = (await customers.get(customerId)) ?? NOBODY;
        return c.json({ customerId, access: access !== null, because: access?.because, vouchers });
      })
      // Mistake: trusts the status in the address, which anyone can type.
      .get('/return', async (c) => {
        const { sessionId = '', status } = c.req.query();
        if (status === 'verified') {
          await letIn(c.var.customerId, sessionId, 'the address claimed it');
          await observe({ kind: 'url_status_trusted', sessionId, by: BY });
        }
        return c.json({ welcome: status === 'verified' });
      })
      // Mistake: trusts a message that the shop's page accepted from any window.
      .post('/message', async (c) => {
        const { type, sessionId, status } = await c.req.json();
        if (type === 'ofage:verification:complete' && status === 'verified') {
          await letIn(c.var.customerId, sessionId, 'a message claimed it');
        }
        return c.json({ welcome: status === 'verified' });
      })
      .post('/verification', async (c) => {
        // Mistake: the browser's input is passed on unchecked.
        const body = await c.req.text();
        const response = await fetch(`${apiBase}/sessions/validate`, {
          method: 'POST',
          headers: {
            ...LAB_HEADERS,
            authorization: `Bearer ${secretKey}`,
            'content-type': 'application/json',
          },
          body,
        });
        const answer = Object(await response.json());
        // Mistakes: an error response has no `status`, so it passes as "not failed". The session's customer
        // is not compared either.
        if (answer.status !== 'failed' && answer.status !== 'pending') {
          const { sessionId = '' } = JSON.parse(body);
          await letIn(c.var.customerId, sessionId, 'validate did not return "failed"');
        }
        return c.json({ answered: response.status, answer });
      })
  );
}
