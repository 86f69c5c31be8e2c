/** What the console's overview, lists and clock say, compared with what the service has. */
import { expect, type Page } from '@playwright/test';
import type { SessionResource } from 'ofage-mock';
import { createSession, openConsole, pauseAnEndpoint } from './support/console-states.ts';
import { test } from './support/test.ts';

const PHONE = { width: 390, height: 844 };

/** Returns the number in an element whose text may have thousands separators. */
const toNumber = (text: string | null): number => Number((text ?? '').replaceAll(/[^\d]/g, ''));

test('every number of the overview is that of a count over the control API', async ({
  page,
  provider,
}) => {
  const { client } = provider;
  await client.clock.freeze();
  const outcomes = ['verified', 'verified', 'failed_age_not_met', 'failed_image_quality'] as const;
  for (const outcome of [...outcomes, 'failed_age_not_met', 'cancelled', 'never'] as const) {
    await client.trigger({ name: outcome });
    await client.clock.advance(400_000);
  }
  // The lab's sessions do not count.
  await createSession(provider, 'ofage_lab:attack');
  await openConsole(page, provider, '');
  const tiles = page.getByTestId('tiles').locator('dd strong');
  await expect(tiles.first()).toHaveText('7');

  const sessions: SessionResource[] = await client.sessions({ labs: false, limit: 1_000 });
  const count = (isWanted: (one: SessionResource) => boolean): number =>
    sessions.filter(isWanted).length;
  const verified = count(({ status }) => status === 'verified');
  const results = count(({ status }) => status === 'verified' || status === 'failed');
  const ended = count(({ status }) => status !== 'pending');
  await expect(tiles.nth(1)).toHaveText(`${Math.round((results / ended) * 100)}%`);
  await expect(tiles.nth(2)).toHaveText(`${Math.round((verified / results) * 100)}%`);

  const legend = page.getByRole('list', { name: 'Sessions by status' }).getByRole('listitem');
  for (const item of await legend.all()) {
    const text = (await item.textContent()) ?? '';
    expect(toNumber(text)).toBe(count(({ status }) => text.includes(status)));
  }
  for (const line of await page.getByTestId('reasons').getByRole('listitem').all()) {
    const reason = await line.getByRole('link').textContent();
    expect(toNumber(await line.locator('strong').textContent())).toBe(
      count((one) => one.status === 'failed' && one.reason === reason),
    );
  }
  await page.getByText('As a table').click();
  const steps = await page.getByTestId('chart-table').locator('tbody tr').all();
  const totals = await Promise.all(
    steps.map(async (step) => toNumber(await step.getByRole('cell').last().textContent())),
  );
  expect(totals.reduce((sum, total) => sum + total)).toBe(sessions.length);

  // A session that is created meanwhile is counted.
  await client.trigger({ name: 'verified' });
  await expect(tiles.first()).toHaveText('8');
});

test('sessions: a search for any text or short id asks the service and logs no error', async ({
  page,
  provider,
}) => {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  const oldest = await createSession(provider, 'customer-oldest');
  for (let n = 0; n < 30; n += 1) await provider.client.trigger({ name: 'verified' });
  await openConsole(page, provider, '#sessions');
  const rows = page.getByTestId('session-row');
  await expect(rows).toHaveCount(25);
  await expect(page.getByTestId('session-count')).toHaveText('1–25 of 31 sessions');

  const search = page.getByTestId('session-search');
  await search.fill('bulk-777');
  await expect(page.getByText('No matching sessions.')).toBeVisible();
  // The focus does not fall to the top of the page when the button disappears.
  await page.getByRole('button', { name: 'Show all sessions' }).press('Enter');
  await expect(rows).toHaveCount(25);
  await expect(page.getByTestId('session-list').locator(':focus')).toHaveCount(1);

  await page.getByTestId('older').press('Enter');
  await expect(page.getByTestId('session-count')).toHaveText('Page 2, 31 sessions');
  await expect(rows).toHaveCount(6);
  await expect(page.getByTestId('older')).toBeFocused();
  await page.getByTestId('newer').press('Enter');
  await expect(rows).toHaveCount(25);

  await search.fill(oldest.slice(0, 8));
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('customer-oldest');
  expect(errors).toEqual([]);
});

test('deliveries of an endpoint are filtered by state, event and text, and paged', async ({
  page,
  provider,
}) => {
  const [tenant] = await provider.client.tenants();
  const [endpoint] = await provider.client.endpoints(tenant?.id ?? '');
  for (let n = 0; n < 8; n += 1) {
    await provider.client.trigger({ name: 'verified', externalUserId: `customer-${n}` });
  }
  await openConsole(page, provider, `#webhooks/${endpoint?.id}`);
  const deliveries = page.getByTestId('delivery');
  await expect(deliveries).toHaveCount(10);
  await page.getByTestId('older').click();
  await expect(deliveries).toHaveCount(6);
  await page.goBack();
  await expect(deliveries).toHaveCount(10);

  await page.getByTestId('delivery-search').fill('customer-3');
  await expect(deliveries).toHaveCount(2);
  await page.getByTestId('filters').click();
  await page.getByTestId('filter-event').selectOption('session.started');
  await expect(deliveries).toHaveCount(1);
  await page.getByTestId('filter-status').selectOption('cancelled');
  await expect(deliveries).toHaveCount(0);
  await page.getByRole('button', { name: 'Show all deliveries' }).click();
  await expect(deliveries).toHaveCount(10);
});

test('the clock shows exactly how far it was moved, on a phone too, together with "frozen"', async ({
  page,
  provider,
}) => {
  await page.setViewportSize(PHONE);
  await openConsole(page, provider, '#keys');
  await page.getByTestId('clock-toggle').click();
  const shift = page.getByTestId('clock-shift');
  await page.getByTestId('clock-advance-60000').click();
  await expect(shift).toHaveText('+1 min');
  await page.getByTestId('clock-advance-600000').click();
  await expect(shift).toHaveText('+11 min');

  await provider.client.reset();
  for (let n = 0; n < 4; n += 1) await provider.client.clock.advance(7_200_000);
  await expect(shift).toHaveText('+8 h');
  await page.getByTestId('clock-freeze').click();
  await expect(shift).toHaveText('frozen +8 h');
  await expect(shift).toBeInViewport({ ratio: 1 });
  await expect(page.locator('.bar-panel').first()).toContainText(
    'frozen, 8 h ahead of this computer',
  );
});

test('the dialog offers only key pairs that can create sessions, and says why the others cannot', async ({
  page,
  provider,
}) => {
  const { client } = provider;
  const [tenant] = await client.tenants();
  const tenantId = tenant?.id ?? '';
  const [first] = await client.keyPairs(tenantId);
  const broken = await client.createKeyPair(tenantId);
  await client.setKeyStatus(broken.publishable.id, 'paused');
  await openConsole(page, provider, '#sessions');
  await page.getByTestId('new-session').click();
  await expect(page.getByTestId('new-session-pair').locator('option')).toHaveText([
    first?.pairId.slice(0, 8) ?? '',
  ]);
  await expect(page.getByTestId('refused-pairs')).toContainText('The API returns 503');
  // An error of the service is shown in the dialog.
  await client.addFault({ operation: 'create', fault: '503', count: 1 });
  await page.getByRole('button', { name: 'Create session' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('503');
  await page.getByRole('button', { name: 'Create session' }).click();
  await expect(page.getByTestId('show-session')).toBeVisible();
  await page.keyboard.press('Escape');

  await client.setKeyStatus(first?.secret.id ?? '', 'paused');
  await page.getByTestId('new-session').click();
  await expect(page.getByTestId('no-working-pair')).toContainText('Create one in Keys');
});

/** Adds up the layout shifts of the page from its start. */
async function observeShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
        };
        if (!hadRecentInput) shifts.sum += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum);
}

for (const [name, size] of [
  ['a phone', PHONE],
  ['a laptop', { width: 1366, height: 768 }],
] as const) {
  test(`nothing of the overview moves while its panels arrive, on ${name} with a slow network`, async ({
    page,
    provider,
    browserName,
  }) => {
    test.skip(browserName !== 'chromium', 'Only Chromium measures layout shifts');
    test.slow();
    const { account } = await pauseAnEndpoint(provider);
    await page.setViewportSize(size);
    const readShift = await observeShifts(page);
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Network.enable');
    await devTools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 50_000,
      uploadThroughput: 50_000,
    });
    await openConsole(page, provider, `#overview?account=${account}`);
    await expect(page.getByTestId('tiles')).toBeVisible({ timeout: 30_000 });
    await expect(page.getByTestId('attention-line')).not.toHaveCount(0);
    expect(await readShift()).toBeLessThan(0.05);
  });
}
