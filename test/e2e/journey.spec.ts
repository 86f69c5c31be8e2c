/** A shopper verifies in the demo shop, whose server decides on access. shop.spec.ts has the failures. */
import { expect, type Page } from '@playwright/test';
import { passThrough } from './support/hosted-page.ts';
import type { Provider } from './support/provider.ts';
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

/** Returns the newest session of all customers. */
async function newestSession({ client, tenantId }: Provider): Promise<{ id: string }> {
  const [newest] = await client.sessions({ tenantId, limit: 1 });
  return newest!;
}

test.describe('in popup mode,', () => {
  test('a shopper who passes gets access from the server, and the webhook arrives', async ({
    page,
    provider,
  }) => {
    await openShop(page, provider, 'mode=popup');
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

  test('a shopper who closes the window cancels the session and gets no access', async ({
    page,
    provider,
  }) => {
    await openShop(page, provider, 'mode=popup');
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

for (const mode of ['redirect', 'server']) {
  test(`in ${mode} mode, the return page shows the untrusted parameters and the validated result of a verified check`, async ({
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
    const checked = new URL(page.url()).searchParams.get('sessionId');
    const itsMessages = new RegExp(`console/#timeline\\?session=${checked}$`);
    await expect(page.getByTestId('to-timeline')).toHaveAttribute('href', itsMessages);
    await expect(page.getByTestId('to-its-code')).toHaveAttribute(
      'href',
      new RegExp(`mode=${mode}`),
    );
    await page.getByTestId('back-to-shop').click();
    await page.getByTestId('buy').first().click();
    await page.getByTestId('checkout').click();
    const order = page.getByTestId('confirmation');
    await expect(order.getByTestId('to-timeline')).toHaveAttribute('href', itsMessages);
    await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'true');
  });
}

for (const width of [1366, 390]) {
  test(`someone who clicks only what is offered sees shop, hosted page, messages and code, at ${width} px`, async ({
    page,
    provider,
  }) => {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 768 });
    await page.goto(`${provider.shop}/?mode=popup&skipIntro=false`);
    await expect(page.getByTestId('demo-note')).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId('demo-note')).toContainText('Nothing is checked for real');
    let clicks = 0;
    const click = async (on: Page, id: string): Promise<void> => {
      const control = on.getByTestId(id);
      // The window of the check may close before the driver confirms the click.
      await control.click({ noWaitAfter: true }).catch((error: unknown) => {
        if (!on.isClosed()) throw error;
      });
      clicks += 1;
    };
    await expect(page.getByTestId('verify-age')).toBeEnabled();
    const [popup] = await Promise.all([page.waitForEvent('popup'), click(page, 'verify-age')]);
    await click(popup, 'start');
    await popup.locator('[data-testid=camera]:is([data-camera=live])').waitFor();
    await Promise.all([popup.waitForEvent('close'), click(popup, 'capture')]);
    await expect(page.getByTestId('notice')).toHaveAttribute('data-kind', 'open');
    await expect(page.getByTestId('to-timeline')).toBeInViewport({ ratio: 1 });

    await click(page, 'to-timeline');
    const entries = page.getByTestId('entry');
    await expect(entries.filter({ hasText: 'verification.completed' }).first()).toBeVisible();
    const { id } = await newestSession(provider);
    await expect(entries.first()).toHaveAttribute('data-session', id);
    await click(page, 'go-shop');
    await click(page, 'to-its-code');
    await expect(page.getByTestId('mode-popup')).toBeChecked();
    await expect(page.getByTestId('snippet')).toContainText("mode: 'new-tab'");
    expect(clicks).toBeLessThanOrEqual(8);
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
