/** Runs the contract suite of the service, which also runs in Node, in a real browser. */
import type { Browser, Page } from '@playwright/test';
import { contractSuite } from '../contract/suite.ts';
import type { ContractHost, ReceivedWebhook } from '../contract/world.ts';
import { buildContractPage } from './support/contract-page.ts';
import { test } from './support/test.ts';
import { workerBrowser } from './support/vitest.ts';

// The many short cases share one page, because otherwise each worker would have to build it.
test.describe.configure({ mode: 'default' });

contractSuite('MSW 3 in a browser, with IndexedDB', async (): Promise<ContractHost> => {
  const site = await buildContractPage();
  const page = await openPage(workerBrowser(), site.url);
  const received: ReceivedWebhook[] = [];
  await page.exposeFunction('webhookReceived', (headers: [string, string][], bodyText: string) => {
    received.push({ headers: new Headers(headers), bodyText });
  });
  return {
    async send(path, init) {
      const { status, headers, text } = await page.evaluate(
        // A page can only receive plain values, and the cases send no others.
        ([path, init]) => window.contract.send(path, init as RequestInit),
        [path, init as object] as const,
      );
      return new Response(text === '' ? null : text, { status, headers });
    },
    control: remote(page, 'control'),
    clock: remote(page, 'clock'),
    receiver: { url: await page.evaluate(() => window.contract.webhookUrl), received },
    async close() {
      await page.context().close();
      await site.close();
    },
  };
});

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.waitForFunction(() => 'contract' in window);
  return page;
}

/** Returns a proxy that calls the methods of an object in the page. */
function remote<T extends 'control' | 'clock'>(page: Page, part: T): ContractHost[T] {
  return new Proxy({} as ContractHost[T], {
    get: (_target, method: string) =>
      // A host is awaited, so the proxy must not look like a promise.
      method === 'then'
        ? undefined
        : (...values: unknown[]) =>
            page.evaluate(([part, method, values]) => window.contract.call(part, method, values), [
              part,
              method,
              values,
            ] as const),
  });
}
