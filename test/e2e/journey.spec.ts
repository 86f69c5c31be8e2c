/** A shopper verifies in the demo shop, whose server decides on access. */
import { expect, type Page } from '@playwright/test';
import { cancel, closeResult, passThrough } from './support/hosted-page.ts';
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

/** Returns the customer's newest session as recorded by the service. */
async function lastSession(
  page: Page,
  provider: Provider,
): Promise<{ id: string; status: string; validatedAt: string | null }> {
  const customer = await page.getByTestId('customer').innerText();
  const [newest] = await provider.client.sessions({ externalUserId: customer });
  return newest!;
}

for (const mode of ['popup', 'tab']) {
  test.describe(`in ${mode} mode,`, () => {
    test('a shopper who passes gets access from the server, and the webhook arrives', async ({
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

    test('a shopper who fails the check gets no access', async ({ page, provider }) => {
      await openShop(page, provider, `mode=${mode}`);
      const popup = await openWindow(page);
      await passThrough(popup, 'failed_age_not_met');
      await closeResult(popup);
      await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'failed');
      await expect(page.getByTestId('decision')).toHaveAttribute('data-access', 'false');
      await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'false');
      await expect(
        page.locator('[data-testid=webhook][data-event="verification.failed"]'),
      ).toHaveCount(1);
    });

    test('a shopper who cancels with the button gets no access', async ({ page, provider }) => {
      await openShop(page, provider, `mode=${mode}`);
      const popup = await openWindow(page);
      await Promise.all([popup.waitForEvent('close'), cancel(popup)]);
      await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'cancelled');
      await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'false');
      expect((await lastSession(page, provider)).status).toBe('cancelled');
    });

    test('a shopper who closes the window cancels the session and gets no access', async ({
      page,
      provider,
    }) => {
      await openShop(page, provider, `mode=${mode}`);
      const popup = await openWindow(page);
      await expect(popup.getByTestId('start')).toBeVisible();
      // Headless browsers fire no focus event when the shopper returns. In that case the SDK reports a
      // close only if the window was open for a while.
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

test.describe('the shop, after a cancellation with a cancelUrl,', () => {
  test('navigates to cancelUrl with status, sessionId and timestamp', async ({
    page,
    provider,
  }) => {
    await openShop(page, provider, 'mode=popup&cancelUrl=true');
    await cancel(await openWindow(page));
    await page.waitForURL(/\?status=cancelled&sessionId=[0-9a-f-]{36}&timestamp=\d{13}$/);
  });

  test('stays on the page when onCancel returns false', async ({ page, provider }) => {
    await openShop(page, provider, 'mode=popup&cancelUrl=true&stayOnCancel=true');
    await cancel(await openWindow(page));
    await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'cancelled');
    await page.waitForTimeout(500);
    expect(page.url()).not.toContain('status=cancelled');
  });
});

for (const mode of ['redirect', 'server']) {
  test.describe(`in ${mode} mode,`, () => {
    test('the return page shows the untrusted parameters and the validated result of a verified check', async ({
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

    test('a shopper who fails the check gets no access', async ({ page, provider }) => {
      await openShop(page, provider, `mode=${mode}`);
      await page.getByTestId('verify-age').click();
      await passThrough(page, 'failed_age_not_met');
      await page.getByTestId('back').click();
      await expect(page.getByTestId('param-status')).toHaveText('failed');
      await expect(page.getByTestId('decision')).toHaveAttribute('data-access', 'false');
    });

    test('cancelling with the button returns to the shop without access', async ({
      page,
      provider,
    }) => {
      await openShop(page, provider, `mode=${mode}`);
      await page.getByTestId('verify-age').click();
      await cancel(page);
      await expect(page.getByTestId('param-status')).toHaveText('cancelled');
      await expect(page.getByTestId('decision')).toHaveAttribute('data-access', 'false');
    });

    test('the service cancels the session when the page is closed', async ({
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

test.describe('an attacker', () => {
  test('gets no access with a forged return address', async ({ page, provider }) => {
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

  test("gets no access with another customer's verified session", async ({
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

test('after ten minutes the hosted page shows the expiry and the shop gets session.timeout', async ({
  page,
}) => {
  // A separate provider, because moving the clock affects all tests that share one.
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
