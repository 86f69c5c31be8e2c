import { setTimeout as wait } from 'node:timers/promises';
import { expectStatus } from './case-checks.ts';
import type { Check } from './check.ts';
import { closeAll } from './close-all.ts';
import type { AccountSettings, CreatedSession, Driver } from './driver.ts';
import {
  CREATE,
  describeAnswer,
  post,
  toStatusCause,
  VALIDATE,
  type Answer,
  type Call,
} from './exchange.ts';
import { createHooks } from './hooks.ts';
import { expectMatch, Matcher, TEXT } from './matchers.ts';
import { CheckFailure, CheckSkip } from './outcome.ts';
import { createVisits } from './pages/create-visits.ts';
import type { Setting } from './setting.ts';
import type { World, WorldAccount } from './world.ts';

/** A world, and the requests and responses of its check. */
export interface OpenWorld {
  readonly world: World;
  readonly exchanges: readonly { call: Call; answer: Answer }[];
  close(): Promise<void>;
}

type Send = (call: Call) => Promise<Answer>;

const SHOP_DOMAIN = 'shop.example';

/**
 * Creates the world of a check, with a new account if the driver can create one.
 * @param note Called with the request for each page, for the report of a failure
 */
export async function openWorld(
  setting: Setting,
  check: Check,
  send: Send,
  note: (call: Call) => void,
): Promise<OpenWorld> {
  const { driver, apiBase } = setting;
  await letDriverStopClock(driver);
  const { account, isNew } = await openAccount(setting, check.settings);
  const { exchanges, sessions, ...requests } = createRequests(account, { isShared: !isNew }, send);
  const { create, validate } = requests;
  const hooks = createHooks(setting, account.tenantId, ({ body }) => {
    // Test events belong to no session.
    return body.test === true || sessions.has(String(body.data?.['sessionId']));
  });
  const settle: World['settle'] = async (session, status) => {
    // Only one example of the check needs it, such as "with a result" of result.pending.not-consumed. The kit
    // skips a check that declares it.
    if (!driver.settle) throw new CheckSkip('needs a driver that can end a session (settle)');
    await driver.settle(session, status);
  };
  const now: World['now'] = async () => driver.now?.() ?? Date.now() + setting.aheadMs();
  const visits = createVisits(setting, { account, create, validate, settle, now }, note);
  async function readTenantId(): Promise<string> {
    const { sessionId } = await create();
    // The webhooks of this session do not belong to the check.
    sessions.delete(sessionId);
    const answer = await validate(sessionId);
    expectStatus(answer, 200);
    expectMatch('the body', answer.json, { merchantId: TEXT }, false);
    return (answer.json as { merchantId: string }).merchantId;
  }
  const world: World = {
    account,
    pk: account.publishableKey,
    sk: account.secretKey,
    // The cast is safe if a check calls only functions that it declares, because the kit skips it if the
    // driver lacks one of them. A check with `settings`, or with a new account, can also create accounts.
    driver: driver as World['driver'],
    isStrict: setting.isStrict,
    isExact: driver.now !== undefined,
    isNewAccount: isNew,
    origin: apiBase.origin,
    basePath: apiBase.pathname.replace(/\/$/, ''),
    ...requests,
    hook: hooks.hook,
    mailbox: hooks.mailbox,
    openPage: visits.openPage,
    visit: visits.visit,
    settle,
    async tenantId() {
      if (account.tenantId !== undefined) return account.tenantId;
      // The account is shared, so its id is read once for all checks.
      setting.tenantId ??= readTenantId().catch((error: unknown) => {
        // The next check tries again.
        delete setting.tenantId;
        throw error;
      });
      return setting.tenantId;
    },
    now,
    at: (timeMs) => toTimeMatcher(timeMs, driver.now !== undefined),
    skip(reason) {
      throw new CheckSkip(reason);
    },
  };
  return { world, exchanges, close: () => closeAll([visits.close, hooks.close]) };
}

/** A driver may stop the clock when it is first asked for the time, which has to be before the first request. */
async function letDriverStopClock(driver: Driver): Promise<void> {
  await driver.now?.();
}

/** The settings of new accounts, unless a check chooses others. */
const DEFAULTS: AccountSettings = {
  allowedDomains: [SHOP_DOMAIN],
  verificationMode: 'L1',
  challengeAge: 25,
  sandboxMode: true,
};

/** Returns a new account if the driver can create one, otherwise that whose keys were passed. */
export async function openAccount(
  { driver, account }: Pick<Setting, 'driver' | 'account'>,
  settings: AccountSettings = {},
): Promise<{ readonly account: WorldAccount; readonly isNew: boolean }> {
  if (!driver.createAccount) return { account, isNew: false };
  const created = await driver.createAccount({ ...DEFAULTS, ...settings });
  return { account: { ...created, returnUrl: `https://${SHOP_DOMAIN}/return` }, isNew: true };
}

type Requests = Pick<World, 'send' | 'sendOnce' | 'create' | 'validate'> & {
  readonly exchanges: { call: Call; answer: Answer }[];
  /** The ids of the sessions that the check has created. */
  readonly sessions: Set<string>;
};

/** @param options.isShared True if other checks may have used up a limit of the account. */
function createRequests(
  account: WorldAccount,
  { isShared }: { readonly isShared: boolean },
  sendCall: Send,
): Requests {
  const exchanges: { call: Call; answer: Answer }[] = [];
  const sessions = new Set<string>();

  async function sendOnce(call: Call): Promise<Answer> {
    const answer = await sendCall(call);
    exchanges.push({ call, answer });
    const { sessionId } = (answer.json ?? {}) as { sessionId?: unknown };
    if (answer.status === 201 && typeof sessionId === 'string') sessions.add(sessionId);
    return answer;
  }

  async function send(call: Call): Promise<Answer> {
    const answer = await sendOnce(call);
    if (answer.status !== 429 || !isShared) return answer;
    await wait(readRetryAfterMs(answer));
    return sendOnce(call);
  }

  return {
    exchanges,
    sessions,
    send,
    sendOnce,
    async create(body = {}, key = account.secretKey) {
      const answer = await send(post(CREATE, { returnUrl: account.returnUrl, ...body }, key));
      if (answer.status === 201) return answer.json as CreatedSession;
      throw new CheckFailure(
        'a session to be created (201)',
        describeAnswer(answer),
        toStatusCause(answer, 201),
      );
    },
    validate: (sessionId, key = account.secretKey) => send(post(VALIDATE, { sessionId }, key)),
  };
}

/** The maximum difference between the clocks of this computer and of the service. */
const SKEW_MS = 30_000;

function toTimeMatcher(timeMs: number, isExact: boolean): Matcher {
  const iso = new Date(timeMs).toISOString();
  if (isExact) return new Matcher(`the time ${iso}`, (value) => value === iso);
  return new Matcher(
    `a time near ${iso}`,
    (value) => typeof value === 'string' && Math.abs(Date.parse(value) - timeMs) <= SKEW_MS,
  );
}

function readRetryAfterMs({ headers }: Answer): number {
  const seconds = Number(headers.get('x-ratelimit-retry-after') ?? headers.get('retry-after'));
  return 1_000 * (seconds > 0 && seconds <= 3_600 ? seconds : 60);
}
