/** The documentation's site, as any web space serves it: dist-docs/ below some path. */
import { expect, type Page, type Response } from '@playwright/test';
import { findBarriers, findOverflow } from './support/accessibility.ts';
import { startStaticSite, type StaticSite } from './support/static-site.ts';
import { test as base } from './support/test.ts';

/** The limit of the scripts of a guide, in bytes before compression. Frames are loaded later. */
const SCRIPT_LIMIT = 120_000;

const startDocs = (): Promise<StaticSite> => startStaticSite('dist-docs');

const test = base.extend<{ docs: StaticSite }>({
  docs: async ({ shared }, use, { file }) => use(await shared(file, startDocs)),
});

/** One page of each kind. */
const KINDS = {
  'the first page': '',
  'a guide with a frame': 'guides/popup/',
  'a page with tables': 'errors/',
  'an error': 'errors/popup_blocked/',
  'a finding': 'findings/access_not_verified/',
  'the commands': 'reference/cli/',
  'an operation': 'reference/http-api/operations/postapisessionscreate/',
  'an export': 'reference/typescript/ofage/interfaces/ofageoptions/',
};

for (const [kind, path] of Object.entries(KINDS)) {
  test(`${kind} is accessible, in both colour schemes, and fits into a phone`, async ({
    page,
    docs,
  }) => {
    await page.goto(docs.url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // The pages of the playground have tests of their own.
    await page.locator('iframe').evaluateAll((frames) => frames.forEach((frame) => frame.remove()));
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await findOverflow(page)).toBeLessThanOrEqual(0);
  });
}

test('a guide loads few scripts and does not shift', async ({ page, docs }) => {
  const answers: Response[] = [];
  page.on('response', (answer) => answers.push(answer));
  await page.addInitScript(countShifts);
  await page.goto(`${docs.url}guides/redirect/`, { waitUntil: 'networkidle' });
  await page.evaluate(() => document.fonts.ready);
  expect(answers.filter((answer) => answer.status() >= 400).map((answer) => answer.url())).toEqual(
    [],
  );
  const scripts = answers.filter((answer) => answer.request().resourceType() === 'script');
  const sizes = await Promise.all(scripts.map(async (answer) => (await answer.body()).length));
  const inline = await page
    .locator('script:not([src])')
    .evaluateAll((all) =>
      all.reduce((sum, { textContent }) => sum + (textContent?.length ?? 0), 0),
    );
  const bytes = sizes.reduce((sum, size) => sum + size, inline);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(SCRIPT_LIMIT);
  expect(await readShift(page)).toBe(0);
});

/** Runs in the page: adds up its layout shifts. */
function countShifts(): void {
  Object.assign(window, { shift: 0 });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) Object(window).shift += Object(entry).value;
  }).observe({ type: 'layout-shift', buffered: true });
}

const readShift = (page: Page): Promise<number> => page.evaluate(() => Object(window).shift);

test('the search finds a page below any path', async ({ page, docs }) => {
  await page.goto(`${docs.url}guides/redirect/`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('textbox', { name: 'Search' }).fill('popup_blocked');
  const found = page.getByRole('link', { name: 'popup_blocked', exact: true }).first();
  await found.click();
  await expect(page).toHaveURL(/\/some\/path\/errors\//);
});

test('a frame of the playground works inside a guide', async ({ page, docs }) => {
  await page.goto(`${docs.url}guides/popup/`);
  const frame = page.getByTitle('The popup lab', { exact: false });
  await frame.scrollIntoViewIfNeeded();
  await expect(frame.contentFrame().getByRole('heading', { level: 1 })).toBeVisible();
});

test('an error message links to the row of its code', async ({ page, docs }) => {
  await page.goto(`${docs.url}errors/#popup_blocked`);
  const row = page.getByRole('row').filter({ has: page.locator('#popup_blocked') });
  await expect(row).toBeInViewport();
  await row.getByRole('link', { name: 'popup_blocked' }).click();
  await expect(page).toHaveURL(/errors\/popup_blocked\/$/);
});
