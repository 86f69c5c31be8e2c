import type { ControlClient } from 'ofage/mock/client';
import type { KeptWebhook } from '../../merchant-backend/lab-plan.ts';
import { type Ask, type Exchange, type SendRequest, exchange } from './exchange.ts';

/** Somebody with an account at the shop. The login works at both shops; what they remember is apart. */
export interface Customer {
  readonly customerId: string;
  readonly token: string;
}

/** What an attack has to work with: the two shops, the service, and whoever takes part. */
export interface World {
  /** The attacker, signed in beforehand, since a window must open within the click. */
  readonly mallory: Customer;
  readonly returnUrl: string;
  signIn(): Promise<Customer>;
  /** A request to the real shop's server, or below `careless/` to the careless one's. */
  shop(title: string, path: string, ask?: ShopAsk): Promise<Exchange>;
  /** A request to the service's API. */
  api(title: string, path: string, ask?: Ask): Promise<Exchange>;
  readonly client: ControlClient;
  /** Starts a check at the real shop's server, and ends it so; `null` leaves it pending. */
  check(customer: Customer, outcome: 'verified' | null): Promise<Check>;
  /** A webhook of a session, as the real shop got it and an attacker read it. */
  captured(sessionId: string): Promise<KeptWebhook>;
  /** Opens the check in a window, as the shop's page does. Only where there are windows. */
  openCheck?: () => OpenCheck;
}

export interface ShopAsk extends Ask {
  readonly as?: Customer;
}

export interface Check {
  readonly sessionId: string;
  readonly sessionToken: string;
}

/** A check that waits in a window, while the SDK listens. */
export interface OpenCheck {
  readonly sessionId: Promise<string>;
  /** Has a frame post what the hosted page would post. Resolves once the page has heard it. */
  forge(message: object): Promise<{ readonly origin: string; readonly data: unknown }>;
  /** What `verify()` has said so far; `null` while it waits. */
  said(): unknown;
  end(): void;
}

export interface WorldPorts {
  readonly send: SendRequest;
  readonly sendToApi: SendRequest;
  readonly client: ControlClient;
  readonly shopUrl: (path: string) => string;
  readonly returnUrl: string;
  readonly openCheck?: (customer: Customer) => OpenCheck;
  readonly sleep: (ms: number) => Promise<void>;
}

const POLL_MS = 100;
const PATIENCE_MS = 10_000;

/** Puts a world together. Everything goes over the same HTTP that a browser and an attacker would use. */
export async function createWorld(ports: WorldPorts): Promise<World> {
  const { send, sendToApi, client, shopUrl, returnUrl, openCheck, sleep } = ports;

  const shopServer = { name: "The shop's server", send };
  const service = { name: 'The service', send: sendToApi };

  const shop = (title: string, path: string, ask: ShopAsk = {}): Promise<Exchange> => {
    const { as, ...rest } = ask;
    const headers = { ...rest.headers, ...(as && { authorization: `Bearer ${as.token}` }) };
    return exchange(shopServer, title, shopUrl(path), { ...rest, headers });
  };
  const signIn = async (): Promise<Customer> => {
    const { status, answer } = await shop('Sign in', 'sign-in', { body: {} });
    if (status !== 200)
      throw new Error(`The demo shop's server answered ${status}. Is it running?`);
    return answer as Customer;
  };

  const mallory = await signIn();
  return {
    mallory,
    returnUrl,
    signIn,
    shop,
    api: (title, path, ask = {}) => exchange(service, title, `/api/v1/${path}`, ask),
    client,
    async check(customer, outcome) {
      const { status, answer } = await shop('Check out', 'checkout', {
        as: customer,
        body: { returnUrl },
      });
      if (status !== 200)
        throw new Error(`The shop could not start a check: ${toSentence(answer)}`);
      const { sessionId, verifyUrl } = answer as { sessionId: string; verifyUrl: string };
      if (outcome) await client.settle(sessionId, outcome);
      const sessionToken = new URL(verifyUrl).searchParams.get('sessionToken') ?? '';
      return { sessionId, sessionToken };
    },
    async captured(sessionId) {
      for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
        const { answer } = await shop('Read the log', `lab/captured?sessionId=${sessionId}`, {
          method: 'GET',
        });
        const { items } = answer as { items: readonly KeptWebhook[] };
        const found = items.find(({ event }) => event === 'verification.completed');
        if (found) return found;
        await sleep(POLL_MS);
      }
      throw new Error('The shop got no webhook. Is its endpoint enabled, and not paused?');
    },
    ...(openCheck && { openCheck: () => openCheck(mallory) }),
  };
}

function toSentence(answer: unknown): string {
  const { message }: { message?: unknown } = Object(answer);
  return typeof message === 'string' ? message : JSON.stringify(answer);
}
