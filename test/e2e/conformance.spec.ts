/**
 * Runs the conformance kit against the service and the hosted page in a real browser. The checks of the
 * service also run in Node, in test/conformance.
 */
import { expect, type Browser, type Page } from '@playwright/test';
import { createControlDriver, type HandleWebhook, type MockAccess } from 'ofage-mock/conformance';
import {
  conformanceSuite,
  HOST_CHECKS,
  NEEDS_SENDER,
  PAGE_CHECKS,
  type ConformanceHost,
} from '../conformance/suite.ts';
import { type } from '../mock-server/cli/a-terminal.ts';
import { buildContractPage } from './support/contract-page.ts';
import { startProvider } from './support/provider.ts';
import { test } from './support/test.ts';
import { workerBrowser } from './support/vitest.ts';

// The many short checks share one page, because otherwise each worker would have to build it.
test.describe.configure({ mode: 'default' });

conformanceSuite(
  'MSW 3 in a browser, with IndexedDB',
  async (): Promise<ConformanceHost> => {
    const site = await buildContractPage();
    const page = await openPage(workerBrowser(), site.url);
    return {
      options: {
        apiBase: 'https://api.ofage.example/api/v1',
        secretKey: 'unused',
        publishableKey: 'unused',
        driver: createControlDriver({
          control: remote(page, 'control'),
          clock: remote(page, 'clock'),
        }),
        receiver: {
          url: await page.evaluate(() => window.contract.webhookUrl),
          async listen(handle) {
            await page.exposeFunction('webhookReceived', toReceiver(handle));
            return async () => {};
          },
        },
        async fetch(url, { method, headers: sent, body, redirect }) {
          const init = { method, headers: sent, body, redirect };
          const { status, headers, text } = await page.evaluate(
            // A page can only receive plain values, and the checks send no others.
            ([path, init]) => window.contract.send(path, init as RequestInit),
            [url.replace(/^https:\/\/[^/]+/, ''), init as object] as const,
          );
          return new Response(text === '' ? null : text, { status, headers });
        },
      },
      async close() {
        await page.context().close();
        await site.close();
      },
    };
  },
  {
    checks: HOST_CHECKS,
    cannot: [
      ...NEEDS_SENDER,
      // A browser hides the target of a redirect.
      'webhooks.destinations.redirect',
      // These move the clock by hours and days, which takes minutes with IndexedDB.
      'webhooks.retries.completed',
      'webhooks.pacing',
      'webhooks.pause',
      'webhooks.redelivery',
    ],
  },
);

conformanceSuite(
  'the hosted page',
  async (): Promise<ConformanceHost> => {
    const provider = await startProvider();
    const driver = createControlDriver(provider.controlBase);
    return {
      options: { ...provider, driver, browser: workerBrowser() },
      close: () => provider.stop(),
    };
  },
  { checks: PAGE_CHECKS },
);

test('ofage-mock conform --browser opens pages', async ({ provider, launchOptions }) => {
  const { executablePath: browser = 'chromium' } = launchOptions;
  const argv = ['conform', '--browser', browser, '--only', 'callback.cancelUrl'];
  const { code, stdout } = await type(argv, { env: { OFAGE_MOCK_URL: provider.controlBase } });
  expect(code, stdout).toBe(0);
  expect(stdout).toContain(': 2 passed, 0 failed, 0 skipped');
});

function toReceiver(handle: HandleWebhook) {
  return (headers: [string, string][], bodyText: string, url: string) =>
    handle({ headers: new Headers(headers), bytes: new TextEncoder().encode(bodyText), url });
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.waitForFunction(() => 'contract' in window);
  return page;
}

/**
 * Returns a proxy that calls the methods of an object in the page. Playwright moves the name of a page's
 * error into the message, so the name of a refusal is restored.
 */
function remote<T extends 'control' | 'clock'>(page: Page, part: T): MockAccess[T] {
  return new Proxy({} as MockAccess[T], {
    get: (_target, method: string) =>
      // The proxy may be awaited, so it must not look like a promise.
      method === 'then'
        ? undefined
        : (...values: unknown[]) =>
            page
              .evaluate(([part, method, values]) => window.contract.call(part, method, values), [
                part,
                method,
                values,
              ] as const)
              .catch((error: Error) => {
                const [, message] = /ServiceError: (.*)/.exec(error.message) ?? [];
                if (message === undefined) throw error;
                throw Object.assign(new Error(message), { name: 'ServiceError' });
              }),
  });
}
