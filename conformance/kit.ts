import { CHECKS, findCheck } from './checks/index.ts';
import { isIncluded, type Check, type CheckFacts, type Level } from './check.ts';
import { openWorld, type OpenWorld } from './create-world.ts';
import { findMissing, type Driver } from './driver.ts';
import {
  describeAnswer,
  describeCall,
  summarizeAnswer,
  toAnswer,
  type Answer,
  type Call,
} from './exchange.ts';
import { openInbox, type Inbox, type Receiver } from './inbox.ts';
import { createLoopbackReceiver } from './loopback-receiver.ts';
import { CheckFailure, CheckSkip } from './outcome.ts';
import type { BrowserLike } from './pages/browser-like.ts';
import { createContexts } from './pages/contexts.ts';
import { NO_BROWSER } from './pages/create-visits.ts';
import type { Setting } from './setting.ts';

/** An implementation, its keys, and the connections of the kit to it. */
export interface KitOptions {
  /** The base URL of the API, which ends with `/api/v1`. */
  apiBase: string;
  secretKey: string;
  publishableKey: string;
  /**
   * Ends sessions, configures endpoints and moves the clock.
   * @default an empty driver, so checks that need a function of the driver are skipped
   */
  driver?: Driver | undefined;
  /**
   * The receiver of webhooks: a public URL that forwards to the kit's own receiver on this computer, or a
   * custom receiver.
   * @default a receiver on this computer
   */
  receiver?: string | Receiver | undefined;
  /** The port of the kit's own receiver. @default 0, a free one */
  receiverPort?: number | undefined;
  /**
   * A browser of Playwright, for checks of the page at verifyUrl and of its way back to the shop. The kit does
   * not close it.
   * @default none, so these checks are skipped
   */
  browser?: BrowserLike | undefined;
  /** Sends the requests. @default the global fetch */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** A return URL that the account allows. @default "http://localhost/return" */
  returnUrl?: string | undefined;
  /**
   * Fails checks whose responses have fields that the specification does not list, or whose errors have no
   * status text.
   * @default false
   */
  strict?: boolean | undefined;
  /**
   * The maximum time to wait for a webhook that is due, in milliseconds. Pages have six times as long.
   * @default 5_000
   */
  patienceMs?: number | undefined;
}

/** An implementation, and the checks to run. */
export interface RunOptions extends KitOptions {
  /** The least binding level to run. @default "should" */
  level?: Level | undefined;
  /** Runs only the checks whose id is one of these, or starts with one of these and a dot. @default all */
  only?: readonly string[] | undefined;
  /** Called after each check, even if the check was skipped. */
  onResult?: ((result: CheckResult) => void) | undefined;
}

/** The result of a check, as the reporter `json` writes it. */
export interface CheckResult extends CheckFacts {
  readonly status: 'passed' | 'failed' | 'skipped';
  /** The reason why the check was skipped, or null. */
  readonly reason: string | null;
  /** The request, the expected behaviour and the observed behaviour. Null unless the check failed. */
  readonly failure: { sent: string; expected: string; answered: string } | null;
  /** The last response, without values that change from run to run. Null if no response arrived. */
  readonly answer: string | null;
  readonly durationMs: number;
}

/** Runs checks one by one, for a test runner. */
export interface Kit {
  /** Runs one of `CHECKS`. Resolves even if the implementation fails the check or cannot be reached. */
  run(check: Pick<CheckFacts, 'id'>): Promise<CheckResult>;
  /** Closes the pages, calls the driver's `close` and stops the receiver. */
  close(): Promise<void>;
}

/**
 * Creates a kit, which runs checks one after the other against one implementation, for example as the tests
 * of a test runner.
 *
 * @param options The implementation, its keys and a driver.
 * @returns The kit. It starts nothing until the first check runs.
 * @example
 * ```ts
 * import { CHECKS, createControlDriver, createKit } from 'ofage/conformance';
 * import { afterAll, expect, it } from 'vitest';
 *
 * const kit = createKit({
 *   apiBase: 'http://127.0.0.1:4010/api/v1',
 *   secretKey: 'sk_test',
 *   publishableKey: 'pk_test',
 *   driver: createControlDriver('http://127.0.0.1:4010'),
 * });
 * afterAll(() => kit.close());
 *
 * it.each(CHECKS)('$id: $sentence', async (check) => {
 *   const { failure } = await kit.run(check);
 *   expect(failure).toBeNull();
 * });
 * ```
 */
export function createKit(options: KitOptions): Kit {
  let opened: Promise<Inbox> | undefined;
  const { driver = {}, fetch = globalThis.fetch, browser, patienceMs = 5_000 } = options;
  const timing = {
    // If the driver has a clock, no person uses the pages, so the kit may move their timers.
    hasClock: driver.now !== undefined,
    // A page shows the result for some time before it goes back to the shop.
    patienceMs: 6 * patienceMs,
  };
  const contexts = browser && createContexts(browser, timing);
  const setting: Setting = {
    apiBase: new URL(options.apiBase),
    driver,
    inbox: () => (opened ??= openReceiver(options)),
    contexts,
    visits: new Map(),
    account: {
      tenantId: undefined,
      publishableKey: options.publishableKey,
      secretKey: options.secretKey,
      returnUrl: options.returnUrl ?? 'http://localhost/return',
    },
    isStrict: options.strict ?? false,
    fetch: (url, init) => fetch(url, init),
    patienceMs,
  };
  return {
    run: async ({ id }) => runCheck(setting, findCheck(id)),
    async close() {
      await contexts?.close();
      await driver.close?.();
      await (await opened)?.close();
    },
  };
}

/**
 * Checks an implementation of the service against the specification.
 *
 * @param options The implementation, its keys, and the checks to run.
 * @returns The result of each check, in the order of the run. Rejects if the API cannot be reached.
 * @example
 * ```ts
 * import { conform } from 'ofage/conformance';
 *
 * const results = await conform({
 *   apiBase: 'https://api.ofage.example/api/v1',
 *   secretKey: process.env['OFAGE_SECRET_KEY'] ?? '',
 *   publishableKey: process.env['OFAGE_PUBLISHABLE_KEY'] ?? '',
 *   level: 'must',
 * });
 * for (const { id, failure } of results) if (failure) console.log(id, failure.answered);
 * ```
 */
export async function conform(options: RunOptions): Promise<CheckResult[]> {
  const kit = createKit(options);
  try {
    await assertReachable(options);
    const results: CheckResult[] = [];
    for (const check of selectChecks(options)) {
      const result = await kit.run(check);
      results.push(result);
      options.onResult?.(result);
    }
    return results;
  } finally {
    await kit.close();
  }
}

async function assertReachable({ apiBase, fetch = globalThis.fetch }: KitOptions): Promise<void> {
  await fetch(apiBase, {}).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot reach the API at ${apiBase}: ${reason}`, { cause });
  });
}

const KINDS = ['safe', 'slow', 'destructive'] as const;

/**
 * Returns the checks of a run. Checks that use up a limit come last, because later checks would have to wait
 * for a new minute.
 */
export function selectChecks({
  level = 'should',
  only,
}: Pick<RunOptions, 'level' | 'only'>): CheckFacts[] {
  const isNamed = (id: string): boolean =>
    only === undefined || only.some((name) => id === name || id.startsWith(`${name}.`));
  const selected = CHECKS.filter((check) => isIncluded(check.level, level) && isNamed(check.id));
  return KINDS.flatMap((kind) => selected.filter((check) => check.kind === kind));
}

async function openReceiver({ receiver, receiverPort }: KitOptions): Promise<Inbox> {
  if (typeof receiver === 'object') return openInbox(receiver);
  return openInbox(await createLoopbackReceiver(receiver, receiverPort));
}

async function runCheck(setting: Setting, check: Check): Promise<CheckResult> {
  const { id, section, sentence, level, kind } = check;
  const startedAtMs = performance.now();
  const toResult = (
    rest: Pick<CheckResult, 'status' | 'reason' | 'failure' | 'answer'>,
  ): CheckResult => ({
    id,
    section,
    sentence,
    level,
    kind,
    ...rest,
    durationMs: Math.round(performance.now() - startedAtMs),
  });
  const missing =
    check.opensPages && !setting.contexts
      ? NO_BROWSER
      : findMissing(setting.driver, needsOf(check));
  if (missing !== undefined) {
    return toResult({ status: 'skipped', reason: missing, failure: null, answer: null });
  }
  const calls: Call[] = [];
  let opened: OpenWorld | undefined;
  try {
    const note = (call: Call): void => void calls.push(call);
    const sendCall = (call: Call): Promise<Answer> => (note(call), send(setting, call));
    opened = await openWorld(setting, check, sendCall, note);
    await check.run(opened.world);
    return toResult({ status: 'passed', reason: null, failure: null, answer: lastAnswer(opened) });
  } catch (error) {
    const answer = lastAnswer(opened);
    if (error instanceof CheckSkip) {
      return toResult({ status: 'skipped', reason: error.message, failure: null, answer });
    }
    return toResult({
      status: 'failed',
      reason: null,
      failure: toFailure(error, opened, calls),
      answer,
    });
  } finally {
    await opened?.close();
  }
}

function needsOf({ needs, settings }: Check): readonly Check['needs'][number][] {
  return settings ? ['createAccount', ...needs] : needs;
}

async function send({ apiBase, fetch }: Setting, call: Call): Promise<Answer> {
  const base = call.isFromOrigin ? apiBase.origin : apiBase.href.replace(/\/$/, '');
  const { method, headers, body } = call;
  const init: RequestInit = { method, headers: { ...headers }, redirect: 'manual' };
  if (body !== undefined) init.body = body;
  return toAnswer(await fetch(base + call.path, init));
}

function lastAnswer(opened: OpenWorld | undefined): string | null {
  const last = opened?.exchanges.at(-1);
  return last ? summarizeAnswer(last.answer) : null;
}

function toFailure(
  error: unknown,
  opened: OpenWorld | undefined,
  calls: readonly Call[],
): CheckResult['failure'] {
  const last = calls.at(-1);
  const sent = last ? describeCall(last) : 'nothing';
  if (error instanceof CheckFailure) {
    return { sent, expected: error.expected, answered: error.answered };
  }
  const answer = opened?.exchanges.at(-1)?.answer;
  const reason = error instanceof Error ? error.message : String(error);
  return {
    sent,
    expected: 'the check to run to completion',
    answered: `an error: ${reason}${answer ? ` (the last response was ${describeAnswer(answer)})` : ''}`,
  };
}
