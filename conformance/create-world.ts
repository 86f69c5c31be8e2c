import type { Check } from './check.ts';
import { EndpointRefusal, type CreatedSession, type Driver } from './driver.ts';
import { CREATE, describeAnswer, post, VALIDATE, type Answer, type Call } from './exchange.ts';
import type { Inbox, Mailbox, ReceivedWebhook } from './inbox.ts';
import { Matcher } from './matchers.ts';
import { CheckFailure, CheckSkip } from './outcome.ts';
import type { Hook, World, WorldAccount } from './world.ts';

/** The parts of a run that all its checks share. */
export interface Setting {
  readonly apiBase: URL;
  readonly driver: Driver;
  readonly inbox: () => Promise<Inbox>;
  /** The account of the given keys. */
  readonly account: WorldAccount;
  readonly isStrict: boolean;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** How long to wait for a webhook that is due. Milliseconds. */
  readonly patienceMs: number;
  /** The endpoint that checks share if the driver cannot remove endpoints. */
  shared?: { endpoint: { id: string; secret: string | null }; mailbox: Mailbox };
}

/** A world, and what happened in it. */
export interface OpenWorld {
  readonly world: World;
  readonly exchanges: readonly { call: Call; answer: Answer }[];
  close(): Promise<void>;
}

/** Returned URLs of new accounts are on this domain. */
const SHOP_DOMAIN = 'shop.example';

export async function openWorld(setting: Setting, check: Check, send: Send): Promise<OpenWorld> {
  const { driver, apiBase } = setting;
  const account = await openAccount(setting, check);
  const isNewAccount = account !== setting.account;
  const exchanges: { call: Call; answer: Answer }[] = [];
  const sessions = new Set<string>();
  const endpoints: string[] = [];

  async function sendOnce(call: Call): Promise<Answer> {
    const answer = await send(call);
    exchanges.push({ call, answer });
    const { sessionId } = (answer.json ?? {}) as { sessionId?: unknown };
    if (answer.status === 201 && typeof sessionId === 'string') sessions.add(sessionId);
    return answer;
  }

  async function sendPatiently(call: Call): Promise<Answer> {
    const answer = await sendOnce(call);
    if (answer.status !== 429 || isNewAccount) return answer;
    await wait(readRetryAfterMs(answer));
    return sendOnce(call);
  }

  const create = async (body: object = {}, key = account.secretKey): Promise<CreatedSession> => {
    const answer = await sendPatiently(
      post(CREATE, { returnUrl: account.returnUrl, ...body }, key),
    );
    if (answer.status === 201) return answer.json as CreatedSession;
    throw new CheckFailure('a session to be created (201)', describeAnswer(answer));
  };
  const validate = (sessionId: string, key = account.secretKey): Promise<Answer> =>
    sendPatiently(post(VALIDATE, { sessionId }, key));

  const toHook = (mailbox: Mailbox): Omit<Hook, 'id' | 'secret'> =>
    createHook(mailbox, setting, (webhook) => isOf(sessions, webhook));

  const world: World = {
    account,
    pk: account.publishableKey,
    sk: account.secretKey,
    // Checks call only the functions that they have declared, which were looked for before.
    driver: driver as World['driver'],
    isStrict: setting.isStrict,
    isExact: driver.now !== undefined,
    isNewAccount,
    origin: apiBase.origin,
    basePath: apiBase.pathname.replace(/\/$/, ''),
    send: sendPatiently,
    sendOnce,
    create,
    validate,
    settle: async (session, status) => driver.settle?.(session, status),
    async tenantId() {
      if (account.tenantId !== undefined) return account.tenantId;
      const { json } = await validate((await create()).sessionId);
      return (json as { merchantId: string }).merchantId;
    },
    now: async () => (driver.now ? driver.now() : Date.now()),
    at: (timeMs) => toTimeMatcher(timeMs, driver.now !== undefined),
    async hook({ path = '', ...options } = {}) {
      const { shared } = setting;
      if (shared && Object.keys(options).length === 0) {
        return { ...toHook(restart(shared.mailbox)), ...shared.endpoint };
      }
      const mailbox = (await setting.inbox()).open();
      const request = { tenantId: account.tenantId, url: mailbox.url + path, ...options };
      const endpoint = await addEndpoint(driver, request);
      endpoints.push(endpoint.id);
      if (!isNewAccount && !driver.removeEndpoint) setting.shared = { endpoint, mailbox };
      return { ...toHook(mailbox), ...endpoint };
    },
    mailbox: () => {
      throw new CheckSkip('the receiver has not started');
    },
    skip(reason) {
      throw new CheckSkip(reason);
    },
  };
  const inbox = check.needs.includes('setLegacyWebhook') ? await setting.inbox() : undefined;
  return {
    world: inbox ? { ...world, mailbox: () => toHook(inbox.open()) } : world,
    exchanges,
    async close() {
      if (isNewAccount) return;
      for (const id of endpoints) await driver.removeEndpoint?.(id);
    },
  };
}

type Send = (call: Call) => Promise<Answer>;

async function openAccount({ driver, account }: Setting, check: Check): Promise<WorldAccount> {
  if (!driver.createAccount) return account;
  const created = await driver.createAccount({
    allowedDomains: [SHOP_DOMAIN],
    ...check.settings,
  });
  return { ...created, returnUrl: `https://${SHOP_DOMAIN}/return` };
}

async function addEndpoint(
  driver: Driver,
  request: Parameters<NonNullable<Driver['addEndpoint']>>[0],
): ReturnType<NonNullable<Driver['addEndpoint']>> {
  try {
    return await (driver as World['driver']).addEndpoint(request);
  } catch (error) {
    if (!(error instanceof EndpointRefusal)) throw error;
    throw new CheckSkip(
      `the service refuses the receiver ${request.url} (${error.message}); give it a public address with --receiver, or allow webhooks to this computer`,
    );
  }
}

function restart(mailbox: Mailbox): Mailbox {
  mailbox.respond = () => ({ status: 204 });
  mailbox.received.length = 0;
  return mailbox;
}

/** Test events belong to no session. */
function isOf(sessions: ReadonlySet<string>, { body }: ReceivedWebhook): boolean {
  return body.test === true || sessions.has(String(body.data?.['sessionId']));
}

function createHook(
  mailbox: Mailbox,
  { driver, patienceMs }: Setting,
  isOwn: (webhook: ReceivedWebhook) => boolean,
): Omit<Hook, 'id' | 'secret'> {
  const received = (): ReceivedWebhook[] => mailbox.received.filter(isOwn);
  async function waitUntil(isDone: () => boolean): Promise<void> {
    // A driver with a clock resolves when everything that is due has happened.
    if (driver.now) await driver.advance?.(0);
    const endMs = Date.now() + patienceMs;
    while (!isDone() && Date.now() < endMs) await wait(POLL_MS);
  }
  return {
    url: mailbox.url,
    received,
    async waitFor(count) {
      await waitUntil(() => received().length >= count);
      if (received().length >= count) return received();
      throw new CheckFailure(`${count} webhooks`, describeWebhooks(received()));
    },
    async settle() {
      await waitUntil(() => driver.now !== undefined);
      return received();
    },
    respond(answer) {
      mailbox.respond = (_n, webhook) => {
        const own = received();
        return answer(Math.max(1, own.length), webhook);
      };
    },
  };
}

export function describeWebhooks(webhooks: readonly ReceivedWebhook[]): string {
  if (webhooks.length === 0) return 'no webhook';
  return `${webhooks.length}: ${webhooks.map(({ body }) => body.event ?? 'unreadable').join(', ')}`;
}

/** The clocks of this computer and of the service may differ by this much. */
const SKEW_MS = 30_000;

function toTimeMatcher(timeMs: number, isExact: boolean): Matcher {
  const iso = new Date(timeMs).toISOString();
  if (isExact) return new Matcher(`the time ${iso}`, (value) => value === iso);
  return new Matcher(
    `a time near ${iso}`,
    (value) => typeof value === 'string' && Math.abs(Date.parse(value) - timeMs) <= SKEW_MS,
  );
}

const POLL_MS = 20;

function readRetryAfterMs({ headers }: Answer): number {
  const seconds = Number(headers.get('x-ratelimit-retry-after') ?? headers.get('retry-after'));
  return 1_000 * (seconds > 0 && seconds <= 3_600 ? seconds : 60);
}

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
