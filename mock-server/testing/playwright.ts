import { createControlClient } from '../api/client.ts';
import type { ServiceClock } from '../api/clock.ts';
import type { Control } from '../api/control.ts';
import { API_BASES } from '../../src/brand.ts';
import { recordChanges } from './recorded-changes.ts';
import { toTestAccount, type TestAccount } from './test-account.ts';

/** The part of `startMockServer`'s result that the fixtures use. */
export interface MockServerLike {
  readonly apiBase: string;
  readonly controlBase: string;
  readonly sdkUrl: string;
  readonly control: Control;
  readonly clock: ServiceClock;
  /** Stops the server, unless another process has started it. */
  close(): Promise<void>;
}

/** The mock that the tests use: a server per worker, or one that is already running. */
export type PlaywrightParts<Options extends object> = StartedMock<Options> | RunningMock;

/**
 * The start function of the mock server, and its options. The function is passed in, so that this entry
 * loads neither a server nor a test runner.
 */
export interface StartedMock<Options extends object> {
  /** `startMockServer` of `ofage-mock/node`. */
  startMockServer(options?: Options): Promise<MockServerLike>;
  /**
   * Options of every worker's server. By default, it listens on a free port and allows webhooks to this
   * computer.
   */
  options?: Options;
}

/**
 * A mock in another process, such as one of Playwright's web servers. Workers share its clock. A test that
 * ends undoes only its own faults and its own freeze of the clock.
 */
export interface RunningMock {
  /** The mock's origin or the address of its control API, such as `http://127.0.0.1:4010`. */
  baseUrl: string;
}

/** The `ofage` fixture: a new account on the worker's server. */
export interface PlaywrightAccount extends TestAccount {
  /** The URL of the script-tag bundle, which is bound to the mock. */
  readonly sdkUrl: string;
  /**
   * Redirects the calls of a page or context to the production or staging API, to another mock or to a
   * proxy, so that they reach this mock with the publishable key of this account. A page that loads the
   * script of another mock gets the one of this mock. Call it before the page is opened.
   *
   * In Chromium, it also covers service workers and the other pages of the context. In Firefox and WebKit,
   * and with an older Playwright, a shop with a service worker needs
   * `test.use({ serviceWorkers: 'block' })`.
   */
  intercept(page: PageLike): Promise<void>;
}

/** A Playwright `Page` or `BrowserContext`. */
export interface PageLike {
  /** Returns the context of a page. A context has no such method. */
  context?(): PageLike;
  /** Passes the requests that match an address to a handler. */
  route(url: string | RegExp, handler: (route: RouteLike) => Promise<void>): Promise<unknown>;
}

/** A Playwright `Route`. */
export interface RouteLike {
  /** Returns the request that the page made. */
  request(): { url(): string; headers(): Record<string, string> };
  /** Sends the request, changed by the options. */
  fetch(options: { url: string; headers: Record<string, string> }): Promise<unknown>;
  /** Answers the page's request with a response that `fetch` returned. */
  fulfill(options: { response: never }): Promise<void>;
  /** Leaves the request to an earlier route, or to the network. */
  fallback(): Promise<void>;
}

/** Test fixtures, the first type argument of `extend`. */
export interface OfAgeTestArgs {
  ofage: PlaywrightAccount;
}

/** Worker fixtures, the second type argument of `extend`. */
export interface OfAgeWorkerArgs {
  ofageServer: MockServerLike;
}

/** The fixtures for Playwright's `test.extend`. */
export interface PlaywrightFixtures {
  /** Starts the mock of a worker, or connects to the one that is running. */
  ofageServer: [
    (args: object, use: (server: MockServerLike) => Promise<void>) => Promise<void>,
    { scope: 'worker' },
  ];
  /** Creates an account of the mock for the test. */
  ofage(
    args: { ofageServer: MockServerLike },
    use: (account: PlaywrightAccount) => Promise<void>,
  ): Promise<void>;
}

/**
 * Creates fixtures for Playwright: a mock server for each worker, or a client of one that is already
 * running, and an account for each test, so that parallel tests do not see each other's sessions.
 *
 * @param parts The start function of the server, or the address of one that is running.
 * @returns The fixtures for `test.extend`.
 * @example
 * ```ts
 * import { test as base } from '@playwright/test';
 * import { startMockServer } from 'ofage-mock/node';
 * import { playwrightFixtures, type OfAgeTestArgs, type OfAgeWorkerArgs } from 'ofage-mock/testing';
 *
 * const test = base.extend<OfAgeTestArgs, OfAgeWorkerArgs>(playwrightFixtures({ startMockServer }));
 *
 * test('shows a message when the shopper is too young', async ({ page, ofage }) => {
 *   await ofage.intercept(page);
 *   await ofage.nextOutcomes('failed_age_not_met');
 *   await page.goto('http://localhost:3000/');
 * });
 * ```
 * @see https://playwright.dev/docs/test-fixtures
 */
export function playwrightFixtures<Options extends object>(
  parts: PlaywrightParts<Options>,
): PlaywrightFixtures {
  return {
    ofageServer: [
      // Playwright parses this parameter's source to find the other fixtures that this one needs.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const server = 'baseUrl' in parts ? connect(parts) : await start(parts);
        try {
          await use(server);
        } finally {
          await server.close();
        }
      },
      { scope: 'worker' },
    ],
    async ofage({ ofageServer }, use) {
      const { apiBase, sdkUrl } = ofageServer;
      const { control, clock, undo } = recordChanges(ofageServer.control, ofageServer.clock);
      const { id: tenantId } = await control.createTenant({ name: 'Test' });
      const { publishable, secret } = await control.createKeyPair(tenantId);
      const facts = {
        apiBase,
        tenantId,
        publishableKey: publishable.value,
        secretKey: secret.value,
      };
      try {
        await use({
          ...toTestAccount(facts, control, clock),
          sdkUrl,
          intercept: (page) =>
            intercept(page, { apiBase, sdkUrl, publishableKey: publishable.value }),
        });
      } finally {
        // Other workers may use the mock at the same time, so everything else stays as it is.
        await undo();
      }
    },
  };
}

function start<Options extends object>(parts: StartedMock<Options>): Promise<MockServerLike> {
  const options = { port: 0, allowLoopbackWebhooks: true, ...parts.options };
  return parts.startMockServer(options as unknown as Options);
}

function connect({ baseUrl }: RunningMock): MockServerLike {
  const control = createControlClient({ baseUrl });
  return {
    apiBase: `${control.origin}/api/v1`,
    controlBase: control.baseUrl,
    sdkUrl: `${control.origin}/sdk.min.js`,
    control,
    clock: control.clock,
    // The server is stopped by the process that started it.
    close: async () => {},
  };
}

async function intercept(page: PageLike, mock: InterceptingMock): Promise<void> {
  await interceptOne(page, mock);
  // Only routes of the context get the requests of service workers and of other windows.
  if (page.context) await interceptOne(page.context(), mock);
}

async function interceptOne(page: PageLike, mock: InterceptingMock): Promise<void> {
  const { apiBase, sdkUrl, publishableKey } = mock;
  const answer = async (route: RouteLike): Promise<void> => {
    const request = route.request();
    const { 'x-api-key': _key, ...headers } = request.headers();
    await passOn(route, {
      url: request.url().replace(/^.*?\/api\/v1/, apiBase),
      headers: { ...headers, authorization: `Bearer ${publishableKey}` },
    });
  };
  for (const base of Object.values(API_BASES)) await page.route(`${base}/**`, answer);
  // The page may use another mock, such as the one of its script tag, or a proxy.
  await page.route(/\/api\/v1\/sessions\/create$/, (route) =>
    hasPublishableKey(route.request().headers()) ? answer(route) : route.fallback(),
  );
  await page.route(MOCK_SCRIPT, (route) =>
    passOn(route, { url: sdkUrl, headers: route.request().headers() }),
  );
}

/** Answers with the response to a request. If the page was closed meanwhile, nobody waits for an answer. */
async function passOn(
  route: RouteLike,
  to: { url: string; headers: Record<string, string> },
): Promise<void> {
  try {
    const response = await route.fetch(to);
    // The response is passed back to Playwright unchanged.
    await route.fulfill({ response: response as never });
  } catch (error) {
    if (!CLOSED.test(String(error))) throw error;
  }
}

/** What Playwright says about a request whose page it has closed, for example because the test has ended. */
const CLOSED = /\b(closed|disposed|Test ended|Test timeout)\b/;

interface InterceptingMock {
  readonly apiBase: string;
  readonly sdkUrl: string;
  readonly publishableKey: string;
}

/** The script of any mock on this computer. */
const MOCK_SCRIPT = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\/(sdk|ofage)\.min\.js$/;

/** Tells a request of the SDK from one to a shop's own route with the same path. */
const hasPublishableKey = (headers: Readonly<Record<string, string>>): boolean =>
  /^(Bearer )?pk_/.test(headers['authorization'] ?? headers['x-api-key'] ?? '');
