/** `test` with a mock that has a public address, and pages whose requests to it go through a proxy. */
import { type BrowserContextOptions, devices, type Page } from '@playwright/test';
import { type Door, startDoor } from './door.ts';
import { test } from './test.ts';

export const PHONES = ['iPhone 15', 'Pixel 7'] as const;

/** A context whose requests to other computers go to the proxy. */
const through = (proxyPort: number): BrowserContextOptions => ({
  proxy: { server: `http://127.0.0.1:${proxyPort}`, bypass: 'localhost,127.0.0.1' },
  ignoreHTTPSErrors: true,
});

interface Contexts {
  door: Door;
  /** Opens a page on the computer. */
  openComputer: (proxyPort?: number) => Promise<Page>;
  openPhone: (name: (typeof PHONES)[number], proxyPort?: number) => Promise<Page>;
}

export const doorTest = test.extend<Contexts>({
  door: async ({ shared }, use, { file }) => use(await shared(file, startDoor)),
  openComputer: async ({ browser, door }, use) => {
    const pages: Page[] = [];
    await use(async (port = door.proxyPort) => {
      const page = await (await browser.newContext(through(port))).newPage();
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.context().close();
  },
  openPhone: async ({ browser, door }, use) => {
    const pages: Page[] = [];
    await use(async (name, port = door.proxyPort) => {
      // Firefox does not have the other settings of the device.
      const { viewport, userAgent } = devices[name]!;
      const context = await browser.newContext({ ...through(port), viewport, userAgent });
      const page = await context.newPage();
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.context().close();
  },
});
