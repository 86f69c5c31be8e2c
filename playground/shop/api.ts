import type { AccessState, Decision, Order, Refusal } from '../reference-backend/responses.ts';
import { ShopError, askShop } from '../shared/ask-shop.ts';
import { siteStorage } from '../shared/text-storage.ts';

export type {
  AccessState,
  Decision,
  Order,
  ReceivedWebhook,
  Refusal,
} from '../reference-backend/responses.ts';

/** The result of an order request: either an order or the reason for the refusal. */
export interface OrderAnswer {
  readonly order: Order | null;
  readonly refusal: Refusal | null;
}

/** A client for the shop's own server. Signs the customer in on the first call that needs a customer. */
export interface ShopApi {
  config(): Promise<{ readonly publishableKey: string }>;
  access(): Promise<AccessState>;
  /**
   * Sends a session id to the server, which validates the session with the service and decides on access.
   */
  verification(sessionId: string): Promise<Decision>;
  /** Creates a session with the server's secret key. This is the server-side integration pattern. */
  checkout(urls: { returnUrl: string; cancelUrl?: string }): Promise<{
    readonly sessionId: string;
    readonly verifyUrl: string;
  }>;
  forgetAccess(): Promise<void>;
  signInAnew(): Promise<void>;
  order(
    items: readonly { readonly sku: string; readonly quantity: number }[],
  ): Promise<OrderAnswer>;
  orders(): Promise<readonly Order[]>;
}

const TOKEN_KEY = 'kontor:token';

export function createShopApi(): ShopApi {
  let signingIn: Promise<string> | null = null;

  /** Signs a new customer in. Calls in parallel share one customer, so that their responses fit together. */
  const signIn = (): Promise<string> => {
    signingIn ??= requestToken().finally(() => {
      signingIn = null;
    });
    return signingIn;
  };

  const ask = async (
    method: Parameters<typeof askShop>[0],
    path: string,
    body?: object,
  ): Promise<unknown> => {
    const token = siteStorage.getItem(TOKEN_KEY) ?? (await signIn());
    try {
      return await askShop(method, path, { body, token });
    } catch (error) {
      if (!(error instanceof ShopError) || error.status !== 401) throw error;
      // The server no longer knows this customer, because it was restarted with other keys. Another call may
      // have signed in since this one was sent.
      const latest = siteStorage.getItem(TOKEN_KEY);
      const isNewer = latest !== null && latest !== token;
      return askShop(method, path, { body, token: isNewer ? latest : await signIn() });
    }
  };

  // The shop's pages and its server always have the same version, so the responses are not validated.
  return {
    config: async () => (await askShop('GET', 'config')) as { publishableKey: string },
    access: async () => (await ask('GET', 'access')) as AccessState,
    verification: async (sessionId) =>
      (await ask('POST', 'verification', { sessionId })) as Decision,
    checkout: async (urls) =>
      (await ask('POST', 'checkout', urls)) as { sessionId: string; verifyUrl: string },
    forgetAccess: async () => void (await ask('DELETE', 'access')),
    signInAnew: async () => void (await signIn()),
    async order(items) {
      try {
        return { order: (await ask('POST', 'orders', { items })) as Order, refusal: null };
      } catch (error) {
        const refusal = error instanceof ShopError ? parseRefusal(error.answer) : null;
        if (!refusal) throw error;
        return { order: null, refusal };
      }
    },
    orders: async () => (await ask('GET', 'orders')) as readonly Order[],
  };
}

async function requestToken(): Promise<string> {
  const { token } = (await askShop('POST', 'sign-in', { body: {} })) as { token: string };
  siteStorage.setItem(TOKEN_KEY, token);
  return token;
}

function parseRefusal(answer: unknown): OrderAnswer['refusal'] {
  const { code, message }: Record<string, unknown> = Object(answer);
  return typeof code === 'string'
    ? { code: code as Refusal['code'], message: String(message) }
    : null;
}
