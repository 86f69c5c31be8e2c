/*
 * The terms of the conformance kit:
 *
 * check    A rule of the specification, with a function that runs it and often several examples. They are in
 *          `checks/`.
 * driver   The functions for what the API cannot do, such as ending a session or moving the clock. They are
 *          supplied by whoever runs the kit.
 * world    The means of one check: an account, its keys, functions that send requests, and the driver.
 * setting  The means that all checks of a run share.
 * inbox    The receiver of webhooks. It gives each check its own URLs, the mailboxes. A hook is a mailbox
 *          with a webhook endpoint of the service that sends to it.
 * visit    One verification in a browser, from the page at `verifyUrl` back to the shop. All checks with the
 *          same plan look at the same visit.
 * patience The maximum time to wait for something that is due, such as a webhook.
 */
import { assertUsable } from './assert-usable.ts';
import { closeAll } from './close-all.ts';
import { isIncluded, LEVELS, type CheckFacts, type Level } from './check.ts';
import { CHECKS, describeUnknown, findCheck } from './checks/index.ts';
import { type Driver, type Need, NEEDS } from './driver.ts';
import { openInbox, type Inbox, type Receiver } from './inbox.ts';
import { createLoopbackReceiver } from './loopback-receiver.ts';
import type { BrowserLike } from './pages/browser-like.ts';
import { createContexts } from './pages/contexts.ts';
import { runCheck, skipCheck, type CheckResult } from './run-check.ts';
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
  /** The maximum time to wait for a response of the API, in milliseconds. @default 30_000 */
  responseMs?: number | undefined;
}

/** An implementation, and the checks to run. */
export interface RunOptions extends KitOptions {
  /** The least binding level to run. @default "should" */
  level?: Level | undefined;
  /**
   * Runs only the checks with these ids, whatever their level, and those of the level whose id starts with one
   * of these and a dot.
   * @default all checks of the level
   */
  only?: readonly string[] | undefined;
  /** Called after each check, even if the check was skipped. */
  onResult?: ((result: CheckResult) => void) | undefined;
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
 * import { CHECKS, createControlDriver, createKit } from 'ofage-mock/conformance';
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
  const { setting, close } = openSetting(options);
  return { run: async ({ id }) => runCheck(setting, findCheck(id)), close };
}

/** Creates the means that all checks of a run share, and a function that closes them. */
export function openSetting(options: KitOptions): { setting: Setting; close(): Promise<void> } {
  let opened: Promise<Inbox> | undefined;
  const { fetch = globalThis.fetch, browser, patienceMs = 5_000, responseMs = 30_000 } = options;
  const { driver, aheadMs } = countMoves(bindDriver(options.driver ?? {}));
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
    aheadMs,
    inbox() {
      opened ??= openReceiver(options).catch((error: unknown) => {
        // The next check tries again.
        opened = undefined;
        throw error;
      });
      return opened;
    },
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
    responseMs,
  };
  return {
    setting,
    close: () =>
      closeAll([
        () => contexts?.close(),
        () => driver.close?.(),
        async () => (await opened)?.close(),
      ]),
  };
}

/**
 * Checks an implementation of the service against the specification.
 *
 * @param options The implementation, its keys, and the checks to run.
 * @returns The result of each check, in the order of the run. Rejects if the API cannot be reached, or refuses
 *   the keys or the return URL.
 * @example
 * ```ts
 * import { conform } from 'ofage-mock/conformance';
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
  const selected = selectChecks(options);
  const { setting, close } = openSetting(options);
  const results: CheckResult[] = [];
  let end: CheckResult | undefined;
  let isRun = false;
  try {
    await assertUsable(setting);
    for (const { id } of selected) {
      const check = findCheck(id);
      const result = end ? skipCheck(check, toEndReason(end)) : await runCheck(setting, check);
      if (result.failure?.endsRun) end = result;
      results.push(result);
      options.onResult?.(result);
    }
    isRun = true;
  } finally {
    await close().catch((error: unknown) => {
      // The driver of a service that has stopped cannot restore its state. The results or the first error say
      // what happened.
      if (isRun && !end) throw error;
    });
  }
  return results;
}

function toEndReason({ id, failure }: CheckResult): string {
  return `not run, because the service stopped responding in ${id} (${failure?.sent})`;
}

const KINDS = ['safe', 'slow', 'destructive'] as const;

/**
 * Returns the checks of a run. Checks that use up a limit come last, because later checks would have to wait
 * for a new minute.
 * @throws {RangeError} if the level or a name of `only` does not exist, or if no check is left
 */
export function selectChecks({
  level = 'should',
  only,
}: Pick<RunOptions, 'level' | 'only'>): CheckFacts[] {
  if (!LEVELS.includes(level))
    throw new RangeError(`The level must be one of ${LEVELS.join(', ')}, got "${String(level)}"`);
  const ofLevel = CHECKS.filter((check) => isIncluded(check.level, level));
  const selected = only === undefined ? ofLevel : selectNamed(only, ofLevel, level);
  return KINDS.flatMap((kind) => selected.filter((check) => check.kind === kind));
}

function selectNamed(
  names: readonly string[],
  ofLevel: readonly CheckFacts[],
  level: Level,
): CheckFacts[] {
  if (names.length === 0)
    throw new RangeError('Cannot run the checks: the list of their ids is empty');
  const selected = new Set<CheckFacts>();
  for (const name of names) {
    const isBelow = ({ id }: CheckFacts): boolean => id.startsWith(`${name}.`);
    // A check with exactly this name was meant, whatever its level.
    const found = [...CHECKS.filter(({ id }) => id === name), ...ofLevel.filter(isBelow)];
    if (found.length > 0) for (const check of found) selected.add(check);
    else throw new RangeError(explainNone(name, CHECKS.find(isBelow), level));
  }
  return CHECKS.filter((check) => selected.has(check));
}

function explainNone(name: string, ofOtherLevel: CheckFacts | undefined, level: Level): string {
  if (!ofOtherLevel) return describeUnknown(name);
  return `Cannot run the checks "${name}": none has the level ${level}; use the level ${ofOtherLevel.level}`;
}

/** Binds the functions to their driver, which may be an instance of a class with private fields. */
function bindDriver(driver: Driver): Driver {
  const names = [...(Object.keys(NEEDS) as Need[]), 'close'] as const;
  const members = names.flatMap((name) => {
    const member: unknown = driver[name];
    if (member === undefined) return [];
    return [[name, typeof member === 'function' ? member.bind(driver) : member]];
  });
  return Object.fromEntries(members);
}

/**
 * Counts the time by which a driver without `now` has moved the service's clock ahead of this computer's. A
 * driver that really waits moves nothing.
 */
function countMoves(driver: Driver): Pick<Setting, 'driver' | 'aheadMs'> {
  const { advance } = driver;
  if (!advance || driver.now) return { driver, aheadMs: () => 0 };
  let aheadMs = 0;
  const counting: Driver = {
    ...driver,
    async advance(ms) {
      const startedAtMs = Date.now();
      await advance(ms);
      aheadMs += Math.max(0, ms - (Date.now() - startedAtMs));
    },
  };
  return { driver: counting, aheadMs: () => aheadMs };
}

async function openReceiver({ receiver, receiverPort }: KitOptions): Promise<Inbox> {
  if (typeof receiver === 'object') return openInbox(receiver);
  return openInbox(await createLoopbackReceiver(receiver, receiverPort));
}
