/** Serves the shop of a customer, and checks its routes and its page as a shopper and the provider do. */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, expect, type Page } from '@playwright/test';
import type * as MockNode from 'ofage-mock/node';
import type * as Testing from 'ofage-mock/testing';
import { takePictures } from '../e2e/support/hosted-page.ts';
import { oddText, sign, SECRET } from '../server/signed-request.ts';
import { findFreePort } from '../support/free-port.ts';
import type { Customer } from './customer.ts';

export interface Shop {
  /** The arguments of the command that serves the built shop. */
  readonly start: readonly string[] | ((port: number) => readonly string[]);
  /** The program that gets the arguments. @default Node */
  readonly program?: string;
  /** Variables of the framework. */
  readonly env?: Readonly<Record<string, string>>;
  /** How the page at `/` sends the shopper to the check. @default undefined, because it has no page */
  readonly page?: 'popup' | 'redirect';
  /** True if the shop has the route `/webhooks/ofage`. @default true */
  readonly hasWebhooks?: boolean;
  /** Checks more of the running shop. */
  readonly check?: (url: string, account: Testing.PlaywrightAccount) => Promise<void>;
}

const START_TIMEOUT_MS = 120_000;

/**
 * Serves a customer's shop against a mock, and checks its routes `/webhooks/ofage` and `/age-check`, and
 * its page. The shop and the mock use the same packed package.
 */
export function checkShop(customer: Customer, shop: Shop): Promise<void> {
  return withAccount(customer, async (account) => {
    const variables = {
      OFAGE_PUBLISHABLE_KEY: account.publishableKey,
      OFAGE_SECRET_KEY: account.secretKey,
      OFAGE_API_BASE: account.apiBase,
    };
    await withServer(customer, { ...shop, env: { ...variables, ...shop.env } }, async (url) => {
      if (shop.hasWebhooks !== false) await checkWebhooks(url);
      await checkValidation(url, account);
      await checkParallelRequests(url, account);
      if (shop.page !== undefined) await checkPage(url, account, shop.page);
      await shop.check?.(url, account);
    });
  });
}

/** Serves a shop, with the secret of the test's webhooks, and stops it after the check. */
export async function withServer(
  customer: Customer,
  { start, program, env }: Pick<Shop, 'start' | 'program' | 'env'>,
  check: (url: string) => Promise<void>,
): Promise<void> {
  const port = await findFreePort();
  const server = customer.start(typeof start === 'function' ? start(port) : start, {
    env: { PORT: String(port), HOST: '127.0.0.1', OFAGE_WEBHOOK_SECRET: SECRET, ...env },
    ...(program !== undefined && { node: program }),
  });
  try {
    // The mock allows return addresses on the name `localhost`.
    const url = `http://localhost:${port}`;
    await waitForServer(url, () => server.assertRunning());
    await check(url);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${message}\nThe server printed:\n${server.output()}`, { cause: error });
  } finally {
    await server.stop();
  }
}

async function withAccount(
  { load }: Customer,
  check: (account: Testing.PlaywrightAccount) => Promise<void>,
): Promise<void> {
  const { startMockServer } = load('ofage-mock/node') as typeof MockNode;
  const { playwrightFixtures } = load('ofage-mock/testing') as typeof Testing;
  const { ofage, ofageServer } = playwrightFixtures({ startMockServer });
  const [startServer] = ofageServer;
  await startServer({}, (server) => ofage({ ofageServer: server }, check));
}

/** Waits until the server sends any response. */
export async function waitForServer(url: string, assertRunning: () => void): Promise<void> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    assertRunning();
    const isUp = await fetch(url).then(
      (response) => response.arrayBuffer().then(() => true),
      () => false,
    );
    if (isUp) return;
    if (Date.now() > deadlineMs) throw new Error(`No response from ${url}`);
    await sleep(100);
  }
}

/** Requests to the route of a shop's webhook, with the status that each must get. */
const REQUESTS = [
  { what: 'a signed event', status: 204, change: (text: string) => ({ text, header: sign(text) }) },
  {
    what: 'an event that was changed after it was signed',
    status: 401,
    change: (text: string) => ({ text: text.replace('user-42', 'user-43'), header: sign(text) }),
  },
  {
    what: 'an event that was parsed and serialized again',
    status: 401,
    change: (text: string) => ({ text: JSON.stringify(JSON.parse(text)), header: sign(text) }),
  },
  { what: 'an unsigned event', status: 401, change: (text: string) => ({ text }) },
  {
    what: 'a malformed signature',
    status: 401,
    change: (text: string) => ({ text, header: sign(text).slice(7) }),
  },
  {
    what: 'a body that is too long',
    status: 413,
    change: () => ({ text: 'x'.repeat(1_100_000), header: sign('x'.repeat(1_100_000)) }),
  },
];

/** Sends good and bad webhooks to a shop, and checks its responses. */
export async function checkWebhooks(url: string): Promise<void> {
  for (const { what, status, change } of REQUESTS) {
    const { text, header }: { text: string; header?: string } = change(oddText());
    const headers = {
      'content-type': 'application/json',
      ...(header !== undefined && { 'x-ofage-signature': header }),
    };
    const response = await fetch(`${url}/webhooks/ofage`, { method: 'POST', headers, body: text });
    await response.arrayBuffer();
    if (response.status !== status) {
      throw new Error(`The webhook answered ${what} with ${response.status}, expected ${status}`);
    }
  }
}

export const CUSTOMER = 'customer-42';

/** Asks a shop about sessions that were settled in different ways, and checks whether it gives access. */
async function checkValidation(
  url: string,
  { control, tenantId }: Testing.PlaywrightAccount,
): Promise<void> {
  const settle = async (name: 'verified' | 'failed_age_not_met', externalUserId = CUSTOMER) =>
    (await control.trigger({ tenantId, name, externalUserId })).id;
  const expectAccess = async (what: string, sessionId: string, access: boolean): Promise<void> => {
    const answer = await askShop(url, sessionId);
    if (answer !== `200 ${JSON.stringify({ access })}`) {
      throw new Error(`For ${what}, /age-check answered ${answer}`);
    }
  };

  const verified = await settle('verified');
  await expectAccess('a verified shopper', verified, true);
  await expectAccess('a session that was used before', verified, true);
  await expectAccess('a shopper who is too young', await settle('failed_age_not_met'), false);
  await expectAccess('another customer', await settle('verified', 'customer-43'), false);
}

/**
 * Sends two requests at once for each of eight sessions, as two tabs do or a page whose effects run twice.
 * A session can be validated once, and every shopper has passed.
 */
async function checkParallelRequests(
  url: string,
  { control, tenantId }: Testing.PlaywrightAccount,
): Promise<void> {
  // The service takes so long that the second request arrives before the first response.
  await control.addFault({
    tenantId,
    operation: 'validate',
    fault: 'slow',
    delayMs: 200,
    count: 16,
  });
  const sessions = await Promise.all(
    Array.from({ length: 8 }, () =>
      control.trigger({ tenantId, name: 'verified', externalUserId: CUSTOMER }),
    ),
  );
  const answers = await Promise.all(
    sessions.flatMap(({ id }) => [askShop(url, id), askShop(url, id)]),
  );
  const wrong = answers.filter((answer) => answer !== '200 {"access":true}');
  if (wrong.length > 0) {
    throw new Error(
      `Of 16 parallel requests for shoppers who passed, ${wrong.length} got ${wrong[0]}`,
    );
  }
}

/** Asks the shop's server about a session, and returns the status and the body of its response. */
export async function askShop(url: string, sessionId: string): Promise<string> {
  const response = await fetch(`${url}/age-check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId }),
  });
  return `${response.status} ${await response.text()}`;
}

/** Returns the path of Chromium, or an empty string if it is not installed. */
const findChromium = (): string =>
  process.env['CHROMIUM'] ??
  execFileSync('sh', ['-c', 'command -v chromium || true'], { encoding: 'utf8' }).trim();

/** Returns the reason why a page cannot be opened on this machine, or `undefined`. */
export const withoutBrowser = (): string | undefined =>
  findChromium() === '' ? 'Chromium is not installed' : undefined;

/** Verifies a shopper on a shop's page, from the click on the button to the welcome message. */
export function checkPage(
  url: string,
  account: Testing.PlaywrightAccount,
  mode: 'popup' | 'redirect',
): Promise<void> {
  return withPage(async (page) => {
    await account.intercept(page);
    await account.nextOutcomes('verified');
    await page.goto(url, { waitUntil: 'networkidle' });
    const button = page.getByRole('button', { name: 'Verify my age' });
    if (mode === 'popup') {
      const [popup] = await Promise.all([page.waitForEvent('popup'), button.click()]);
      await popup.getByTestId('start').click();
      await Promise.all([popup.waitForEvent('close'), takePictures(popup, 'verified')]);
    } else {
      await button.click();
      await page.getByTestId('start').click();
      await takePictures(page, 'verified');
    }
    await expect(page.getByText(/^Welcome/)).toBeVisible({ timeout: 20_000 });
  });
}

/** Checks that a page with only `import 'ofage/sdk.min.js'` has the global. */
export function checkGlobal(url: string): Promise<void> {
  return withPage(async (page) => {
    await page.goto(url);
    await expect
      .poll(() => page.evaluate(() => typeof (globalThis as { OfAge?: unknown }).OfAge))
      .toBe('function');
  });
}

/** Passes an empty page of Chromium to `check`, and fails if the page prints a warning or an error. */
async function withPage(check: (page: Page) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      // Prevents requests outside this machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      '--use-fake-device-for-media-stream=fps=5',
      '--use-fake-ui-for-media-stream',
    ],
  });
  try {
    const context = await browser.newContext({ permissions: ['camera'], reducedMotion: 'reduce' });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await check(page);
    if (complaints.length > 0) throw new Error(`The console says:\n${complaints.join('\n')}`);
  } finally {
    await browser.close();
  }
}
