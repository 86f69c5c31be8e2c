import type { ControlClient } from 'ofage-mock/client';
import { CHANGE_MS, inTime } from '../../shared/in-time.ts';
import type { KeptWebhook } from '../../demo-backend/lab-plan.ts';

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
  check(customer: Customer, outcome: 'verified' | null, prefix?: Prefix): Promise<StartedCheck>;
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

export interface StartedCheck {
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

/** An HTTP request and its response. */
export interface Exchange {
  /** The purpose, for example `Mallory opens the address`. */
  readonly title: string;
  readonly method: string;
  readonly url: string;
  /** The headers that the attack sent. Bearer tokens are shortened. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly status: number;
  readonly answer: unknown;
}

export interface Ask {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: object | string;
}

export type SendRequest = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body: string | null;
    signal: AbortSignal;
  },
) => Promise<Pick<Response, 'status' | 'text'>>;

/** A server that the attacks call. */
export interface Server {
  /** The subject of an error message about the server, for example `The service`. */
  readonly name: string;
  readonly send: SendRequest;
}

/**
 * Sends a request and returns it together with its response.
 * @throws NoAnswerError if there is no response in time
 * @throws Error if the server cannot be reached
 */
export async function exchange(
  server: Server,
  title: string,
  url: string,
  { method = 'POST', headers = {}, body }: Ask,
): Promise<Exchange> {
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  const text = body === undefined ? null : json;
  const sent = {
    ...(text === null ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  const [status, answer] = await inTime(server.name, CHANGE_MS, async (signal) => {
    const request = { method, headers: sent, body: text, signal };
    const response = await server.send(url, request).catch((cause: unknown) => {
      throw new Error(`${server.name} cannot be reached`, { cause });
    });
    return [response.status, await response.text()] as const;
  });
  return {
    title,
    method,
    url,
    headers: Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, toShown(name, value)]),
    ),
    body: text,
    status,
    answer: parse(answer),
  };
}

/** Shortens a bearer token, which is long and should not be readable on a shared screen. */
function toShown(name: string, value: string): string {
  return name === 'authorization' ? value.replace(/^(Bearer .{12}).*$/, '$1…') : value;
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

export interface AttackReport {
  readonly shop: Side;
  readonly careless: Side;
}

export interface Side {
  /**
   * True if the attack succeeded, for example because the shop's server says that the attacker has access.
   */
  readonly isIn: boolean;
  /** The result in one or two sentences. */
  readonly outcome: string;
  readonly exchanges: readonly Exchange[];
}

/** Sends a session id to a shop's server, as its return page does. */
export function bringSession(
  world: World,
  sessionId: string,
  title: string,
  { as = world.mallory, prefix = '' }: { as?: Customer; prefix?: Prefix } = {},
): Promise<Exchange> {
  return world.shop(title, `${prefix}verification`, { as, body: { sessionId } });
}

/** @throws Error if the shop does not say, because then nobody knows whether the attack succeeded */
export async function askAccess({ mallory, shop }: World, prefix: Prefix = ''): Promise<Exchange> {
  const asked = await shop('Does Mallory have access?', `${prefix}access`, {
    method: 'GET',
    as: mallory,
  });
  if (asked.status === 200) return asked;
  throw new Error(`The shop could not say whether Mallory has access: ${toSentence(asked.answer)}`);
}

/** Runs the same steps against both shops. */
export async function tryAtBoth(
  world: World,
  act: (prefix: Prefix) => Promise<readonly Exchange[]>,
): Promise<AttackReport> {
  return toReport(world, { shop: await act(''), careless: await act('careless/') });
}

/** Checks Mallory's access at both shops and builds the report. */
export async function toReport(
  world: World,
  { shop, careless }: Readonly<Record<'shop' | 'careless', readonly Exchange[]>>,
): Promise<AttackReport> {
  const problem = toProblem(shop.at(-1));
  return {
    shop: await toSide(world, '', shop, `Mallory has no access: ${problem}.`),
    careless: await toSide(world, 'careless/', careless, 'Mallory has no access.'),
  };
}

async function toSide(
  world: World,
  prefix: Prefix,
  exchanges: readonly Exchange[],
  outcomeWhenOut: string,
): Promise<Side> {
  const access = await askAccess(world, prefix);
  const { access: isIn, because } = Object(access.answer) as { access: boolean; because?: string };
  const outcomeWhenIn = `Mallory has access${because === undefined ? '' : `: ${because}`}.`;
  return {
    isIn,
    outcome: isIn ? outcomeWhenIn : outcomeWhenOut,
    exchanges: [...exchanges, access],
  };
}

/** Returns the shop's reason for denying access. */
function toProblem(last: Exchange | undefined): string {
  const { problem, validation } = Object(last?.answer) as {
    problem?: { code?: string } | null;
    validation?: { status?: string } | null;
  };
  if (problem?.code) return problem.code;
  if (validation?.status) return `the session is ${validation.status}`;
  return last?.status === 401 ? 'the signature does not match (401)' : `HTTP ${last?.status}`;
}
