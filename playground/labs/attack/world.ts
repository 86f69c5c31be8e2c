import type { ControlClient } from 'ofage/mock/client';
import type { KeptWebhook } from '../server/plan.ts';
import { type Ask, type Exchange, type SendRequest, exchange } from './exchange.ts';

/** A signed-in customer. The token works at both shops, but their databases are separate. */
export interface Customer {
  readonly customerId: string;
  readonly token: string;
}

/** The path prefix of the demo shop's server, or of the careless shop's. */
export type Prefix = '' | 'careless/';

/** The environment of an attack: the two shops, the service and the customers. */
export interface World {
  /** The attacker, signed in before the click, because a window must open during the click. */
  readonly mallory: Customer;
  readonly returnUrl: string;
  signIn(): Promise<Customer>;
  /** Sends a request to the demo shop's server or, below `careless/`, to the careless one's. */
  shop(title: string, path: string, ask?: ShopAsk): Promise<Exchange>;
  /** Sends a request to the service's API. */
  api(title: string, path: string, ask?: Ask): Promise<Exchange>;
  readonly client: ControlClient;
  /**
   * Starts a check at the demo shop's server, or with the prefix `careless/` at the careless one's, and
   * settles it with this outcome. `null` leaves it pending.
   */
  check(customer: Customer, outcome: 'verified' | null, prefix?: Prefix): Promise<Check>;
  /**
   * Waits for the session's `verification.completed` webhook, and returns it as the demo shop received it.
   */
  captured(sessionId: string): Promise<KeptWebhook>;
  /** Opens the check in a window, as the shop's page does. Absent if the environment has no windows. */
  openCheck?: () => OpenCheck;
}

export interface ShopAsk extends Ask {
  readonly as?: Customer;
}

export interface Check {
  readonly sessionId: string;
  readonly sessionToken: string;
}

/** A pending check in a window, for which the SDK waits. */
export interface OpenCheck {
  readonly sessionId: Promise<string>;
  /** Makes a frame post a forged message of the hosted page. Resolves once the page has received it. */
  forge(message: object): Promise<{ readonly origin: string; readonly data: unknown }>;
  /** Returns the result or error of `verify()`, or `null` while it is pending. */
  result(): unknown;
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
const WEBHOOK_WAIT_MS = 10_000;

/**
 * Creates the environment and signs the attacker in. The attacks send HTTP requests, as a browser or an
 * attacker would.
 */
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
    const { status, answer } = await shop('Sign in', 'lab/sign-in', { body: {} });
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
    async check(customer, outcome, prefix = '') {
      const { status, answer } = await shop('Check out', `${prefix}checkout`, {
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
      for (let waitedMs = 0; waitedMs < WEBHOOK_WAIT_MS; waitedMs += POLL_MS) {
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
