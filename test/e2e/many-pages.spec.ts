/** Seven open pages stay usable, although a browser opens only six connections per host. */
import { expect, type BrowserContext, type Page, type Request } from '@playwright/test';
import { passThrough } from './support/hosted-page.ts';
import type { Provider } from './support/provider.ts';
import { buy, openCheck } from './support/shop-states.ts';
import { test } from './support/test.ts';

/** Pages with a clock, which is shown once the page is live. */
const PATHS = ['', 'console/#sessions', 'console/#timeline', 'labs/', 'console/#doctor'] as const;
/** Opening many pages can be slow on a busy machine. */
const SLOW = { timeout: 30_000 };
test.describe.configure({ timeout: 120_000 });

/** Tracks the open requests for the live stream and their pages. */
function watchStreams(context: BrowserContext) {
  const open = new Map<Request, Page>();
  const isStream = (request: Request): boolean =>
    new URL(request.url()).pathname === '/control/v1/stream';
  context.on('request', (request) => {
    if (!isStream(request)) return;
    open.set(request, request.frame().page());
  });
  const end = (request: Request): void => void open.delete(request);
  context.on('requestfinished', end);
  context.on('requestfailed', end);
  return {
    /** The pages that currently read a stream. */
    get readers(): Page[] {
      return [...open].flatMap(([, page]) => (page.isClosed() ? [] : [page]));
    },
  };
}

/** Opens the pages one after the other, and waits until each is live. */
async function openPages(page: Page, { shop }: Provider, count: number): Promise<Page[]> {
  const pages: Page[] = [];
  while (pages.length < count) {
    const next = pages.length === 0 ? page : await page.context().newPage();
    await next.goto(`${shop}/${PATHS[pages.length % PATHS.length]}`);
    await expect(next.getByTestId('clock')).toBeVisible(SLOW);
    pages.push(next);
  }
  return pages;
}

const isFrozen = (page: Page) =>
  expect(page.getByTestId('clock-toggle')).toContainText('frozen', SLOW);
const runs = (page: Page) =>
  expect(page.getByTestId('clock-toggle')).not.toContainText('frozen', SLOW);

/** Makes a page visible or hidden, as a switch of tabs does. Playwright itself keeps all pages visible. */
const see = (page: Page, visibilityState: 'visible' | 'hidden'): Promise<void> =>
  page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibilityState);

test('with seven open pages, an order succeeds in the first one', async ({ page, provider }) => {
  const streams = watchStreams(page.context());
  const pages = await openPages(page, provider, 7);
  // A page without a stream opens one for a moment, every two seconds.
  await expect.poll(() => streams.readers.length, SLOW).toBeLessThanOrEqual(3);

  await expect(page.getByTestId('verify-age')).toBeEnabled(SLOW);
  await passThrough(await openCheck(page), 'verified');
  await expect(page.getByTestId('gate')).toHaveAttribute('data-open', 'true', SLOW);
  await buy(page);
  await page.getByTestId('checkout').click();
  await expect(page.getByTestId('confirmation')).toBeVisible(SLOW);

  // The other pages show the changes.
  const [session] = await provider.client.sessions();
  const consoles = pages.filter((one) => one.url().endsWith('#sessions'));
  expect(consoles).toHaveLength(2);
  for (const consolePage of consoles) {
    const row = consolePage
      .getByTestId('session-row')
      .filter({ hasText: session?.id.slice(0, 8) ?? '' });
    await expect(row).toContainText('verified', SLOW);
  }
  await pages[4]?.getByTestId('clock-toggle').click();
  await pages[4]?.getByTestId('clock-freeze').click();
  for (const one of pages) await isFrozen(one);
  await provider.client.clock.resume();
  for (const one of pages) await runs(one);
  await expect.poll(() => streams.readers.length, SLOW).toBeLessThanOrEqual(3);
});

test('a hidden page holds no stream, and shows what it missed when it is seen again', async ({
  page,
  provider,
}) => {
  const streams = watchStreams(page.context());
  const pages = await openPages(page, provider, 3);
  await expect.poll(() => streams.readers.length, SLOW).toBe(3);
  for (const one of pages) await see(one, 'hidden');
  await expect.poll(() => streams.readers, SLOW).toEqual([]);
  await provider.client.clock.freeze();
  for (const one of pages) await see(one, 'visible');
  for (const one of pages) await isFrozen(one);
  await provider.client.clock.resume();
  for (const one of pages) await runs(one);
});
