/** The console's timeline of what the service did, in two tabs and after a reload. */
import { expect, type Page } from '@playwright/test';
import { openConsole } from './support/console-states.ts';
import { test } from './support/test.ts';

test.beforeEach(async ({ provider }) => {
  await provider.client.reset();
});

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
