/** Finding, counting and exporting sessions. */
import { expect, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import type { Provider } from './support/provider.ts';
import { createSession, openDashboard, pauseAnEndpoint } from './support/dashboard-states.ts';
import { test } from './support/test.ts';

test.beforeEach(async ({ provider }) => {
  await provider.client.reset();
  await provider.client.clock.freeze();
});

/** Creates sessions that failed for two reasons, and, two hours later, one that passed. */
async function createEndedSessions(provider: Provider): Promise<void> {
  for (const outcome of [
    'failed_age_not_met',
    'failed_age_not_met',
    'failed_image_quality',
  ] as const) {
    await provider.client.settle(await createSession(provider, `customer-${outcome}`), outcome);
  }
  await provider.client.clock.advance(7_200_000);
  await provider.client.settle(await createSession(provider, 'customer-9'), 'verified');
}

const rows = (page: Page) => page.getByTestId('session-row');

test('the dashboard counts all sessions when the service returns them in several pages', async ({
  page,
  provider,
}) => {
  const rateLimits = { create: 2_000, validate: 100 };
  await provider.client.updateTenant(provider.tenantId, { rateLimits });
  for (let n = 0; n < 1_032; n += 1) await createSession(provider, `customer-${n}`);
  await openDashboard(page, provider, '#overview');
  await expect(page.getByTestId('tiles')).toContainText('1,032');
  await page.getByRole('link', { name: /^pending/ }).click();
  await expect(page.getByTestId('session-count')).toHaveText('1–25 of 1,032 sessions');
  await page.getByTestId('older').click();
  await expect(page.getByTestId('session-count')).toHaveText('26–50 of 1,032 sessions');
  await page.getByTestId('older').click();
  await page.getByTestId('newer').click();
  await expect(page.getByTestId('session-count')).toHaveText('26–50 of 1,032 sessions');
  await page.getByTestId('newest').click();
  await expect(page.getByTestId('session-count')).toHaveText('1–25 of 1,032 sessions');
});

test('the dashboard finds sessions by reason and by time, and exports them as CSV', async ({
  page,
  provider,
}, testInfo) => {
  await createEndedSessions(provider);
  await openDashboard(page, provider, '#sessions');
  await expect(rows(page)).toHaveCount(4);
  await expect(page.getByTestId('session-count')).toHaveText('4 sessions');
  await expect(rows(page).last()).toContainText('age_not_met');
  await page.getByTestId('filter-reason').selectOption('age_not_met');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Show all sessions' }).click();
  await expect(rows(page)).toHaveCount(4);

  const now = await provider.client.clock.now();
  const hourAgo = new Date(now.getTime() - 3_600_000).toISOString().slice(0, 16);
  await page.getByTestId('filter-from').fill(hourAgo);
  await expect(rows(page)).toHaveCount(1);
  await page.getByTestId('filter-from').fill('');
  await page.getByTestId('filter-to').fill(hourAgo);
  await expect(rows(page)).toHaveCount(3);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('export-csv').click(),
  ]);
  const file = testInfo.outputPath(download.suggestedFilename());
  await download.saveAs(file);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain('failed,image_quality,customer-failed_image_quality');
});

test('the bars of the chart and the reasons for failure link to their sessions', async ({
  page,
  provider,
}) => {
  await createEndedSessions(provider);
  await openDashboard(page, provider, '#overview');
  await expect(page.getByTestId('reasons').getByRole('listitem')).toHaveText([
    /age_not_met\s+2/,
    /image_quality\s+1/,
  ]);
  await page.getByTestId('reasons').getByRole('link', { name: 'age_not_met' }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.goBack();
  await page.locator('.bar--failed').click();
  await expect(rows(page)).toHaveCount(3);
  await page.goBack();
  await page.getByText('As a table').click();
  const hours = page.getByTestId('chart-table').getByRole('link');
  await expect(hours).toHaveCount(2);
  await hours.last().press('Enter');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('verified');
});

test('the overview lists paused endpoints above the chart', async ({ page, provider }) => {
  const { id, account } = await pauseAnEndpoint(provider);
  await openDashboard(page, provider, `#overview?account=${account}`);
  const alert = page.getByTestId('paused-alert');
  await expect(alert).toContainText('the endpoint rejected every request for an hour');
  await expect(alert).toContainText('not delivered');
  const [alertBox, chartBox] = [
    await alert.boundingBox(),
    await page.getByTestId('outcomes').boundingBox(),
  ];
  expect(alertBox!.y).toBeLessThan(chartBox!.y);
  await alert.getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`#webhooks/${id}`));
  await expect(page.getByTestId('test-and-resume')).toBeVisible();
});
