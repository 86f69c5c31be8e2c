/** Tests the documentation site in a subfolder of a static host, and on the mock. */
import { expect, type Page, type Response } from '@playwright/test';
import { findBarriers, findOverflow } from './support/accessibility.ts';
import { startStaticSite, type StaticSite } from './support/static-site.ts';
import { test as base } from './support/test.ts';

/** The limit for all scripts of a page except those of frames, in bytes before compression. */
const SCRIPT_LIMIT = 120_000;

const startDocs = (): Promise<StaticSite> => startStaticSite('dist-docs');

const test = base.extend<{ docs: StaticSite }>({
  docs: async ({ shared }, use, { file }) => use(await shared(file, startDocs)),
});

/** One page of each layout. */
const LAYOUTS = {
  'the first page': '',
  'a guide with a frame': 'guides/popup/',
  'a guide with tabs': 'guides/webhooks/',
  'a page with tables': 'errors/',
  'the page of an operation with tabs': 'reference/http-api/operations/postapisessionscreate/',
  'the page of an export': 'reference/typescript/ofage/interfaces/ofageoptions/',
};

/** Further kinds of pages with these layouts, which `npm run test:all` checks. */
const KINDS = {
  'a guide with code': 'guides/redirect/',
  'the page of an error': 'errors/popup_blocked/',
  'the page of a finding': 'findings/access_not_verified/',
  'the page of the commands': 'reference/cli/',
  'the page of the webhooks': 'reference/webhooks/',
};

const CHOSEN = process.env.OFAGE_CHECKS === 'all' ? { ...LAYOUTS, ...KINDS } : LAYOUTS;

for (const [kind, path] of Object.entries(CHOSEN)) {
  test(`${kind} stays within the limit for scripts, has no layout shift, is accessible in both colour schemes, and fits on a phone`, async ({
    page,
    docs,
  }) => {
    const answers: Response[] = [];
    page.on('response', (answer) => answers.push(answer));
    await page.addInitScript(countShifts);
    await page.goto(docs.url + path, { waitUntil: 'networkidle' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await showPictures(page);
    expect(answers.filter((answer) => answer.status() >= 400).map((one) => one.url())).toEqual([]);
    const bytes = (await countScripts(answers, page)) + (await countInlineScripts(page));
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(SCRIPT_LIMIT);
    expect(await readShift(page)).toBe(0);
    // The pages of the playground have separate tests.
    await page.locator('iframe').evaluateAll((frames) => frames.forEach((frame) => frame.remove()));
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await findOverflow(page)).toBeLessThanOrEqual(0);
  });
}

/** Runs in the page: adds up its layout shifts. */
function countShifts(): void {
  Object.assign(window, { shift: 0 });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) Object(window).shift += Object(entry).value;
  }).observe({ type: 'layout-shift', buffered: true });
}

const readShift = (page: Page): Promise<number> => page.evaluate(() => Object(window).shift);

/** Scrolls to each picture, because pictures load when they are near the visible area. */
const showPictures = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (const picture of document.images) {
      picture.scrollIntoView();
      await picture.decode();
    }
    await document.fonts.ready;
  });

/** Returns the size of the page's external scripts, without those of its frames. */
async function countScripts(answers: readonly Response[], page: Page): Promise<number> {
  const scripts = answers.filter(
    (answer) => answer.request().resourceType() === 'script' && answer.frame() === page.mainFrame(),
  );
  const bodies = await Promise.all(scripts.map((answer) => answer.body()));
  return bodies.reduce((sum, body) => sum + body.length, 0);
}

const countInlineScripts = (page: Page): Promise<number> =>
  page
    .locator('script:not([src])')
    .evaluateAll((all) =>
      all.reduce((sum, { textContent }) => sum + (textContent?.length ?? 0), 0),
    );

test('the search and a frame work if the site is in a subfolder of the host', async ({
  page,
  docs,
}) => {
  await page.goto(`${docs.url}guides/popup/`);
  await findInFrame(page, 'The popup lab');
  await search(page, 'popup_blocked');
  await expect(page).toHaveURL(/\/some\/path\/errors\//);
});

test('the search and a frame work under the Content-Security-Policy of the mock', async ({
  page,
  provider,
}) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
  });
  const answer = await page.goto(`${provider.shop}/docs/guides/webhooks/`);
  expect(answer?.headers()['content-security-policy']).toContain("object-src 'none'");
  await findInFrame(page, 'The webhook lab');
  await search(page, 'signature_mismatch');
  await expect(page).toHaveURL(/\/docs\/errors\/signature_mismatch\//);
  expect(violations).toEqual([]);
});

test('the pages follow the theme that is chosen in the site', async ({
  page,
  provider,
  context,
}) => {
  const pages = page.locator('html');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${provider.shop}/console/`);
  await expect(pages).toHaveCSS('color-scheme', 'light dark');
  const site = await context.newPage();
  await site.goto(`${provider.shop}/docs/`);
  await site.getByLabel('Select theme').first().selectOption('dark');
  await expect(pages).toHaveCSS('color-scheme', 'dark');
  await page.goto(provider.shop);
  await expect(pages).toHaveCSS('color-scheme', 'dark');
  await site.getByLabel('Select theme').first().selectOption('auto');
  await expect(pages).toHaveCSS('color-scheme', 'light dark');
});

test('a row of a table is a block on a phone, with the heading of each value', async ({
  page,
  docs,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${docs.url}errors/`);
  const row = page.getByRole('row').filter({ hasText: 'popup_blocked' }).first();
  await expect(row.getByRole('cell').nth(3)).toHaveAttribute('data-label', 'fix');
  const boxes = await row
    .getByRole('cell')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
  expect(new Set(boxes).size).toBe(1);
  await page.setViewportSize({ width: 1366, height: 768 });
  const cut = await page
    .locator('main table')
    .evaluateAll((tables) => tables.map((one) => one.scrollWidth - one.clientWidth));
  expect(Math.max(...cut)).toBeLessThanOrEqual(0);
});

/** Waits until a guide shows a page of the playground in a frame. */
async function findInFrame(page: Page, title: string): Promise<void> {
  const frame = page.getByTitle(title, { exact: false });
  await frame.scrollIntoViewIfNeeded();
  await expect(frame.contentFrame().getByRole('heading', { level: 1 })).toBeVisible();
}

/** Searches for a page by its title, and opens it. */
async function search(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('textbox', { name: 'Search' }).fill(title);
  await page.getByRole('link', { name: title, exact: true }).first().click();
}
