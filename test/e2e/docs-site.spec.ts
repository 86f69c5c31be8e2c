/** Tests the documentation site in a subfolder of a static host, and on the mock. */
import { expect, type Locator, type Page, type Response } from '@playwright/test';
import { findBarriers, findOverflow } from './support/accessibility.ts';
import { holdBack } from './support/hold-back.ts';
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

test('one choice of theme holds for the pages and the site, in open windows too', async ({
  page,
  provider,
  context,
}) => {
  const pages = page.locator('body');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${provider.shop}/console/`);
  await expect(pages).toHaveCSS('background-color', LIGHT);
  const other = await context.newPage();
  await other.emulateMedia({ colorScheme: 'light' });
  await other.goto(`${provider.shop}/docs/`);
  const site = other.locator('html');
  await other.getByLabel('Theme').selectOption('dark');
  await expect(pages).toHaveCSS('background-color', DARK);
  await expect(page.getByLabel('Theme')).toHaveValue('dark');
  await page.goto(`${provider.shop}/labs/`);
  await expect(pages).toHaveCSS('background-color', DARK);
  // By keyboard, and on a phone, where the choice shows only its icon.
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByTestId('go-docs').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Theme')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(pages).toHaveCSS('background-color', LIGHT);
  await expect(site).toHaveAttribute('data-theme', 'light');
  await other.emulateMedia({ colorScheme: 'dark' });
  await expect(other.getByLabel('Theme')).toHaveValue('light');
  await expect(site).toHaveCSS('color-scheme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(pages).toHaveCSS('background-color', LIGHT);
  await page.getByLabel('Theme').selectOption('System theme');
  await expect(pages).toHaveCSS('background-color', DARK);
  await expect(site).toHaveAttribute('data-theme', 'dark');
});

/** The backgrounds of the console and the labs. */
const LIGHT = 'rgb(243, 244, 249)';
const DARK = 'rgb(13, 16, 23)';

const DARK_PAGES = {
  '': 'rgb(20, 17, 14)',
  'return/': 'rgb(20, 17, 14)',
  'console/': DARK,
  'docs/': 'rgb(22, 26, 36)',
};

for (const [path, colour] of Object.entries(DARK_PAGES)) {
  test(`/${path} has the chosen theme before its scripts run`, async ({ page, provider }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.addInitScript(() => localStorage.setItem('starlight-theme', 'dark'));
    const release = await holdBack(page, /\/(?!theme-)[^/]*\.js$/);
    await page.goto(`${provider.shop}/${path}`, { waitUntil: 'commit' });
    await expect(page.locator('body')).toHaveCSS('background-color', colour);
    release();
  });
}

test('the bar of the site is that of the pages, in one line, with all its entries', async ({
  page,
  provider,
}) => {
  for (const width of [1366, 430, 412, 390, 360, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${provider.shop}/console/`);
    const entries = page.getByRole('navigation', { name: 'Playground' }).getByRole('link');
    await expect(entries.last()).toHaveText('Docs');
    const wanted = await entries.evaluateAll(toBarLinks);
    expect(await endOf(entries.last())).toBeLessThanOrEqual(
      await startOf(page.locator('.bar-theme')),
    );
    const colours = await page.locator('.site-bar').evaluate(toColours);
    await page.goto(`${provider.shop}/docs/`);
    const bar = page.getByRole('banner');
    const links = bar.getByRole('navigation').getByRole('link');
    await expect.poll(() => links.evaluateAll(toBarLinks)).toEqual(wanted);
    expect(await page.locator('.site-bar').evaluate(toColours)).toEqual(colours);
    expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(64);
    for (const control of [...(await links.all()), bar.getByLabel('Search').first()])
      await expect(control).toBeInViewport({ ratio: 1 });
    await expect(page.getByLabel('Theme')).toBeInViewport();
    expect(await findOverflow(page)).toBeLessThanOrEqual(0);
  }
});

const startOf = (part: Locator): Promise<number> =>
  part.evaluate((element) => element.getBoundingClientRect().left);

const endOf = (part: Locator): Promise<number> =>
  part.evaluate((element) => element.getBoundingClientRect().right);

const toBarLinks = (links: Element[]): string[] =>
  links.map((link) => `${link.textContent} ${(link as HTMLAnchorElement).href}`);

const toColours = (bar: Element): string[] => {
  const { backgroundColor, color, fontFamily, fontSize } = getComputedStyle(bar);
  return [backgroundColor, color, fontFamily, fontSize];
};

test('the picture of the start page has the chosen theme', async ({ page, docs }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(docs.url);
  const picture = page.getByRole('img', { name: /^The shop page starts the check/ });
  const isDark = async (): Promise<boolean> =>
    page.evaluate(readsDark, (await picture.screenshot()).toString('base64'));
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(isDark).toBe(false);
  await page.getByLabel('Theme').selectOption('dark');
  await expect.poll(isDark).toBe(true);
});

/** Runs in the page: tells whether a pixel near the edge of a picture is dark. */
async function readsDark(png: string): Promise<boolean> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
  context.drawImage(image, 0, 0);
  const [red = 0, green = 0, blue = 0] = context.getImageData(image.width / 2, 8, 1, 1).data;
  return red + green + blue < 200;
}

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
