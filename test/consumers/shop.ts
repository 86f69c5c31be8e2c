import { setTimeout as sleep } from 'node:timers/promises';
import type * as MockNode from 'ofage/mock/node';
import type * as Testing from 'ofage/testing';
import { SECRET } from '../server/signed-request.ts';
import type { Customer } from './customer.ts';
import { checkValidation } from './shop-validation.ts';
import { checkPage } from './shop-page.ts';
import { checkWebhooks } from './shop-webhooks.ts';
import { findFreePort } from '../support/free-port.ts';

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
  /** The text on the page after a passed verification. @default 'Welcome' */
  readonly welcome?: string;
  /** Checks more of the running shop. */
  readonly check?: (url: string) => Promise<void>;
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
      if (shop.page !== undefined)
        await checkPage(url, account, { mode: shop.page, welcome: shop.welcome });
      await shop.check?.(url);
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
  const { startMockServer } = load('ofage/mock/node') as typeof MockNode;
  const { playwrightFixtures } = load('ofage/testing') as typeof Testing;
  const { ofage, ofageServer } = playwrightFixtures({ startMockServer });
  const [startServer] = ofageServer;
  await startServer({}, (server) => ofage({ ofageServer: server }, check));
}

/** Waits until the server sends any response. */
async function waitForServer(url: string, assertRunning: () => void): Promise<void> {
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
