/** The main job: a shopper verifies in the demo shop, and the shop's own server is the one that decides. */
import { expect, type Page } from '@playwright/test';
import { cancel, passThrough } from './support/hosted-page.ts';
import { startProvider, type Provider } from './support/provider.ts';
import { test } from './support/test.ts';

const openShop = async (page: Page, provider: Provider, query: string): Promise<void> => {
  await page.goto(`${provider.shop}/?${query}`);
  await expect(page.getByTestId('verify-age')).toBeEnabled();
  await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'false');
};

const openWindow = async (page: Page): Promise<Page> => {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByTestId('verify-age').click(),
  ]);
  return popup;
};

/** What the service has on record: how it ended, and whether validate consumed it. */
async function lastSession(
  page: Page,
  provider: Provider,
): Promise<{ id: string; status: string; validatedAt: string | null }> {
  const customer = await page.getByTestId('customer').innerText();
  const [newest] = await provider.client.sessions({ externalUserId: customer });
  return newest!;
}

for (const mode of ['popup', 'tab']) {
  test.describe(`${mode} mode`, () => {
    test('verified: the server validates, access opens, the webhook arrives', async ({
      page,
      provider,
    }) => {
      await openShop(page, provider, `mode=${mode}`);
      const popup = await openWindow(page);
      await expect(popup).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/verify\//);
      await Promise.all([popup.waitForEvent('close'), passThrough(popup, 'verified')]);
      await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'verified');
      await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'true');
      await expect(
        page.locator('[data-testid=webhook][data-event="verification.completed"]'),
      ).toHaveCount(1);
      await expect(page.locator('[data-testid=webhook][data-event="session.started"]')).toHaveCount(
        1,
      );
      const session = await lastSession(page, provider);
      expect(session).toMatchObject({ status: 'verified', validatedAt: expect.any(String) });
    });

    test('failed: no access', async ({ page, provider }) => {
      await openShop(page, provider, `mode=${mode}`);
      const popup = await openWindow(page);
      await passThrough(popup, 'failed_age_not_met');
      await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'failed');
      await expect(page.getByTestId('decision')).toHaveAttribute('data-access', 'false');
      await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'false');
      await expect(
        page.locator('[data-testid=webhook][data-event="verification.failed"]'),
      ).toHaveCount(1);
    });

    test('cancelled by the button: no access', async ({ page, provider }) => {
      await openShop(page, provider, `mode=${mode}`);
      const popup = await openWindow(page);
      await Promise.all([popup.waitForEvent('close'), cancel(popup)]);
      await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'cancelled');
      await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'false');
      expect((await lastSession(page, provider)).status).toBe('cancelled');
    });

    test('cancelled by closing the window: no access, and the service learns of it', async ({
      page,
      provider,
    }) => {
      await openShop(page, provider, `mode=${mode}`);
      const popup = await openWindow(page);
      await expect(popup.getByTestId('start')).toBeVisible();
      // Headless, no focus event tells that the shopper is back; then only a window that was seen
      // for a while counts as closed.
      await popup.waitForTimeout(1000);
      await popup.close({ runBeforeUnload: true });
      await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'cancelled');
      await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'false');
      await expect(
        page.locator('[data-testid=webhook][data-event="verification.cancelled"]'),
      ).toHaveCount(1);
      expect((await lastSession(page, provider)).status).toBe('cancelled');
    });
  });
}

test.describe('new-tab mode, cancelled with a cancelUrl', () => {
  test('goes there with status, sessionId and timestamp', async ({ page, provider }) => {
    await openShop(page, provider, 'mode=popup&cancelUrl=true');
    await cancel(await openWindow(page));
    await page.waitForURL(/\?status=cancelled&sessionId=[0-9a-f-]{36}&timestamp=\d{13}$/);
  });

  test('stays when onCancel returns false', async ({ page, provider }) => {
    await openShop(page, provider, 'mode=popup&cancelUrl=true&stayOnCancel=true');
    await cancel(await openWindow(page));
    await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'cancelled');
    await page.waitForTimeout(500);
    expect(page.url()).not.toContain('status=cancelled');
  });
});

for (const mode of ['redirect', 'server']) {
  test.describe(`${mode} mode`, () => {
    test('verified: untrusted parameters beside the validated answer', async ({
      page,
      provider,
    }) => {
      await openShop(page, provider, `mode=${mode}`);
      await page.getByTestId('verify-age').click();
      await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/verify\//);
      await passThrough(page, 'verified');
      await page.waitForURL(/^http:\/\/localhost:\d+\/return\//);
      await expect(page.getByTestId('param-status')).toHaveText('verified');
      await expect(page.getByTestId('decision')).toHaveAttribute('data-access', 'true');
      expect(page.url()).not.toMatch(/token/i);
      await page.getByTestId('back-to-shop').click();
      await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'true');
    });

    test('failed: no access', async ({ page, provider }) => {
      await openShop(page, provider, `mode=${mode}`);
      await page.getByTestId('verify-age').click();
      await passThrough(page, 'failed_age_not_met');
      await page.getByTestId('back').click();
      await expect(page.getByTestId('param-status')).toHaveText('failed');
      await expect(page.getByTestId('decision')).toHaveAttribute('data-access', 'false');
    });

    test('cancelled by the button: comes back, no access', async ({ page, provider }) => {
      await openShop(page, provider, `mode=${mode}`);
      await page.getByTestId('verify-age').click();
      await cancel(page);
      await expect(page.getByTestId('param-status')).toHaveText('cancelled');
      await expect(page.getByTestId('decision')).toHaveAttribute('data-access', 'false');
    });

    test('left by closing the page: the service cancels it', async ({
      page,
      provider,
      context,
    }) => {
      await openShop(page, provider, `mode=${mode}`);
      const other = await context.newPage();
      await openShop(other, provider, `mode=${mode}`);
      await page.getByTestId('verify-age').click();
      await expect(page.getByTestId('start')).toBeVisible();
      await page.close({ runBeforeUnload: true });
      // The service waits five seconds for a page that only reloads.
      await expect
        .poll(async () => (await lastSession(other, provider)).status, { timeout: 20_000 })
        .toBe('cancelled');
    });
  });
}

test.describe('An attacker', () => {
  test('gains nothing with a forged return address', async ({ page, provider }) => {
    await openShop(page, provider, 'mode=popup');
    const popup = await openWindow(page);
    await expect(popup.getByTestId('start')).toBeVisible();
    const { id } = await lastSession(page, provider);
    const forged = await page.context().newPage();
    await forged.goto(
      `${provider.shop}/return/?sessionId=${id}&status=verified&timestamp=${Date.now()}`,
    );
    await expect(forged.getByTestId('param-status')).toHaveText('verified');
    await expect(forged.getByTestId('decision')).toHaveAttribute('data-access', 'false');
    await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'false');
  });

  test("gains nothing with another customer's verified session", async ({
    page,
    provider,
    browser,
  }) => {
    await openShop(page, provider, 'mode=redirect');
    await page.getByTestId('verify-age').click();
    await passThrough(page, 'verified');
    await page.waitForURL('**/return/**');
    const address = page.url();
    const stranger = await (await browser.newContext()).newPage();
    await openShop(stranger, provider, 'mode=redirect');
    await stranger.goto(address);
    await expect(stranger.getByTestId('decision')).toHaveAttribute('data-access', 'false');
    await stranger.context().close();
  });
});

test('The ten minutes pass: the page says so, and the shop learns of it', async ({ page }) => {
  // A provider of its own, because moving the clock moves it for everybody.
  const provider = await startProvider();
  try {
    await openShop(page, provider, 'mode=popup');
    const popup = await openWindow(page);
    await expect(popup.getByTestId('countdown')).toBeVisible();
    await provider.client.clock.advance(10 * 60_000);
    await expect(popup.getByTestId('notice')).toHaveAttribute('data-kind', 'expired');
    await expect(page.locator('[data-testid=webhook][data-event="session.timeout"]')).toHaveCount(
      1,
    );
    await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'false');
  } finally {
    await provider.stop();
  }
});
