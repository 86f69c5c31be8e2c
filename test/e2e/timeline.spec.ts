/** The console's timeline of what the service did, in two tabs and after a reload. */
import { expect, type Page } from '@playwright/test';
import { openConsole } from './support/console-states.ts';
import { test } from './support/test.ts';

const entry = (page: Page, kind: string, title: string | RegExp) =>
  page.locator(`[data-testid=entry][data-kind=${kind}]`).filter({ hasText: title });

test('shows the same in an open tab, after a reload and in a second tab', async ({
  page,
  context,
  provider,
}) => {
  const { client, tenantId } = provider;
  await openConsole(page, provider, '#timeline');
  await expect(page.getByTestId('count')).toBeVisible();
  const { id } = await client.createEndpoint(tenantId, { url: 'http://127.0.0.1:9/hooks' });
  await client.clock.advance(3_600_000);
  await client.trigger({ name: 'verified' });
  await client.clock.advance(800);
  await client.updateEndpoint(id, { enabled: false });
  const { secret } = await client.createKeyPair(tenantId);
  await client.setKeyStatus(secret.id, 'paused');
  await client.updateTenant(tenantId, { sandboxMode: false });
  await client.clock.freeze();

  const read = (tab: Page): Promise<string[]> =>
    tab.locator('[data-testid=entry] summary').allInnerTexts();
  await expect(entry(page, 'clock', 'Clock frozen')).toHaveCount(1);
  await expect(entry(page, 'clock', 'Clock moved 1 h forward')).toHaveCount(1);
  await expect(entry(page, 'clock', 'Clock moved 800 ms forward')).toHaveCount(1);
  await expect(entry(page, 'endpoint', 'Endpoint disabled: ')).toHaveCount(1);
  await expect(entry(page, 'key', 'Secret key paused')).toHaveCount(1);
  await expect(entry(page, 'account', 'sandboxMode true → false')).toHaveCount(1);
  const second = await context.newPage();
  await openConsole(second, provider, '#timeline');
  await expect.poll(async () => (await read(second)).length).toBeGreaterThan(6);
  await expect.poll(() => read(second)).toEqual(await read(page));
  const before = await read(page);
  await page.reload();
  await expect.poll(() => read(page)).toEqual(before);
});

test('links to the newest session, and shows a card only for a chosen one', async ({
  page,
  provider,
}) => {
  const { id } = await provider.client.trigger({ name: 'verified' });
  await openConsole(page, provider, '#timeline');
  const newest = page.getByTestId('newest-session');
  await expect(newest).toHaveAttribute('href', `#sessions/${id}`);
  await expect(page.getByTestId('session-state')).toHaveCount(0);
  await page.getByTestId('only-session').first().click();
  await expect(page.getByTestId('session-state')).toContainText(id);
});

test('groups entries by session on a phone and by keyboard, and remembers the plain list', async ({
  page,
  provider,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const older = await provider.client.trigger({ name: 'never' });
  await openConsole(page, provider, '#timeline');
  const groups = page.getByTestId('group');
  await expect(groups).toHaveCount(1);
  // A new session arrives above, and a new entry moves the older one to the top.
  const newer = await provider.client.trigger({ name: 'verified' });
  await expect(groups.first()).toHaveAttribute('data-session', newer.id);
  await groups.last().locator('summary').last().focus();
  await provider.client.settle(older.id, 'cancelled');
  await expect(groups.first()).toHaveAttribute('data-session', older.id);
  await expect(groups.first().locator('summary').last()).toBeFocused();
  await expect(groups.first()).toContainText('cancelled');
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);

  const heading = groups.first().getByRole('heading', { level: 3 });
  await expect(heading).toHaveText(`Session ${older.id.slice(0, 8)}`);
  await heading.getByRole('link').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(groups).toHaveCount(1);
  await expect(heading.getByRole('link')).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`session=${older.id}`));

  await page.getByTestId('filters').press('Enter');
  await page.getByTestId('filter-list').selectOption('plain');
  await expect(groups).toHaveCount(0);
  await page.reload();
  await expect(page.getByTestId('entry').first()).toBeVisible();
  await expect(groups).toHaveCount(0);
  await expect(page.getByTestId('active-filters')).toContainText('One list');
});

test('on a phone the timeline has its first session in view, below two rows of actions', async ({
  page,
  provider,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await provider.client.trigger({ name: 'verified' });
  // Four entries of a page that belong to no session, above the session
  await page.goto(`${provider.shop}/code/`);
  await openConsole(page, provider, '#timeline');
  const timeline = page.getByTestId('timeline');
  await expect(timeline.locator('ol.entries > [data-testid=entry]').first()).toBeVisible();
  const boxes = await timeline
    .locator('.panel__head')
    .locator('h2, a, button, [data-testid=count]')
    .evaluateAll((parts) =>
      parts.map((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return Math.round((top + bottom) / 2);
      }),
    );
  const rows = boxes.filter(
    (middle, at) => !boxes.slice(0, at).some((b) => Math.abs(b - middle) < 8),
  );
  expect(rows.length).toBeLessThanOrEqual(2);
  const session = await page.getByTestId('group').first().boundingBox();
  expect(session!.y).toBeLessThan(844 - 100);
});

const LONG = 'a-long-path-segment-'.repeat(8);

/** Returns the titles whose text after the sign or between the signs is not whole in its line. */
const findCutOff = (page: Page, part: RegExp): Promise<string[]> =>
  page.locator('.entry__title').evaluateAll((titles, pattern) => {
    const isCut = (title: Element): boolean => {
      const [found] = new RegExp(pattern).exec(title.textContent ?? '') ?? [];
      if (found === undefined) return false;
      const walker = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode as Text;
        const at = text.data.indexOf(found);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + found.length);
        const shown = range.getBoundingClientRect();
        const boxes = [title, text.parentElement!].map((one) => one.getBoundingClientRect());
        return boxes.some((box) => shown.right > box.right + 1 || shown.left < box.left - 1);
      }
      return true;
    };
    return titles.filter(isCut).map((title) => title.textContent ?? '');
  }, part.source);

for (const { what, part } of [
  { what: 'status code', part: /→ \d{3}/ },
  { what: 'number of an attempt', part: /attempt \d+/ },
])
  test(`never cuts off the ${what} at 1280 px`, async ({ page, provider }) => {
    const { client, tenantId } = provider;
    await page.setViewportSize({ width: 1280, height: 800 });
    await client.createEndpoint(tenantId, { url: `http://127.0.0.1:9/${LONG}` });
    const { id } = await client.trigger({ name: 'verified' });
    await client.clock.advance(60_000);
    await fetch(`${provider.apiBase}/sessions/${LONG}`);
    for (const hash of ['#timeline', `#timeline?session=${id}`, `#sessions/${id}`]) {
      await openConsole(page, provider, hash);
      await expect(entry(page, 'delivery', 'attempt 2').first()).toBeVisible();
      if (hash === '#timeline') await expect(entry(page, 'request', LONG)).toBeVisible();
      expect(await findCutOff(page, part), hash).toEqual([]);
    }
  });
