/**
 * The results of a check in the shop, also after its page has lost that of the SDK through a reload, Back or
 * Forward. The failures are tested without a browser, in test/playground/demo/page.test.ts.
 */
import { expect } from '@playwright/test';
import { closeResult, takePictures } from './support/hosted-page.ts';
import { buy, enterShop, notice, openCheck, setNextOutcome } from './support/shop-states.ts';
import { test } from './support/test.ts';

/** Results in the shop that no other journey reaches. */
const ENDINGS = [
  { scenario: 'failed_image_quality', kind: 'failed', status: 'failed', isValidated: true },
  { scenario: 'timeout', kind: 'expired', status: 'expired', isValidated: false },
] as const;

for (const { scenario, kind, status, isValidated } of ENDINGS) {
  test(`after the scenario ${scenario}, the shop shows "${kind}" and the session is ${status}`, async ({
    page,
    provider,
  }) => {
    await enterShop(page, provider, 'mode=popup&skipIntro=true&autoReturn=true');
    await setNextOutcome(provider, scenario);
    const popup = await openCheck(page);
    await popup.waitForURL(/\/verify\//);
    const sessionId = new URL(popup.url()).searchParams.get('sessionId') ?? '';
    await takePictures(popup, scenario);
    if (kind === 'failed') await closeResult(popup);
    if (kind === 'expired') {
      await expect(popup.getByTestId('notice')).toHaveAttribute('data-kind', kind);
      await Promise.all([popup.waitForEvent('close'), closeResult(popup)]);
    }
    await notice(page, kind);
    // The shop's server validates a result, but not a session that has none.
    await expect
      .poll(() => provider.client.session(sessionId))
      .toMatchObject({ status, validatedAt: isValidated ? expect.any(String) : null });
  });
}

test('popup: after a reload during the check, a shopper who passes can order', async ({
  page,
  provider,
}) => {
  await enterShop(page, provider, 'mode=popup&skipIntro=true');
  await buy(page);
  await setNextOutcome(provider, 'verified');
  const popup = await openCheck(page);
  await expect(popup.getByTestId('capture')).toBeVisible();
  await page.reload();
  await notice(page, 'unfinished');
  await takePictures(popup, 'verified');
  await notice(page, 'open');
  await page.getByTestId('checkout').click();
  await expect(page.getByTestId('confirmation')).toBeVisible();
});

test('popup: a shopper who passes while webhooks are rejected gets access on the next visit to the shop', async ({
  page,
  provider,
}) => {
  const receiver = (refuses: boolean) =>
    page.evaluate(
      (body) => fetch('/shop/receiver', { method: 'PUT', body }).then(() => undefined),
      JSON.stringify({ refuses }),
    );
  await enterShop(page, provider, 'mode=popup&skipIntro=true');
  await setNextOutcome(provider, 'verified');
  const popup = await openCheck(page);
  // The server receives session.started before it starts to reject webhooks.
  await expect(page.locator('[data-event="session.started"]')).toHaveCount(1);
  await receiver(true);
  try {
    await page.goto('about:blank');
    await takePictures(popup, 'verified');
    await expect.poll(() => popup.isClosed() || popup.getByTestId('result').isVisible()).toBe(true);
    await page.goto(`${provider.shop}/`);
    await notice(page, 'open');
  } finally {
    await receiver(false);
  }
});

test('redirect: a shopper who passes and then presses Back gets access', async ({
  page,
  provider,
}) => {
  await enterShop(page, provider, 'mode=redirect&skipIntro=true');
  await setNextOutcome(provider, 'verified');
  await page.getByTestId('verify-age').click();
  await takePictures(page, 'verified');
  await expect(page.getByTestId('result')).toBeVisible();
  await page.goBack();
  await notice(page, 'open');
  await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'true');
});

test('redirect: after Back the shop shows the open check, and Forward continues it', async ({
  page,
  provider,
}) => {
  await enterShop(page, provider, 'mode=redirect&skipIntro=true&autoReturn=true');
  await setNextOutcome(provider, 'verified');
  await page.getByTestId('verify-age').click();
  await expect(page.getByTestId('capture')).toBeVisible();
  await page.goBack();
  await notice(page, 'unfinished');
  await page.goForward();
  await page.getByTestId('resume').click();
  await takePictures(page, 'verified');
  await page.waitForURL('**/return/**');
  await expect(page.getByTestId('decision')).toHaveAttribute('data-access', 'true');
  await page.goBack();
  await page.goto(`${provider.shop}/`);
  await notice(page, 'open');
});

test('redirect: after Back without Forward, the shop reports that the check was cancelled', async ({
  page,
  provider,
}) => {
  await enterShop(page, provider, 'mode=redirect&skipIntro=true');
  await page.getByTestId('verify-age').click();
  await expect(page.getByTestId('capture')).toBeVisible();
  await page.goBack();
  await notice(page, 'unfinished');
  await notice(page, 'cancelled');
});
