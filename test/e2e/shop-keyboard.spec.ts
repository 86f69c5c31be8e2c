import { expect, type Page } from '@playwright/test';
import { takePictures } from './support/hosted-page.ts';
import { pressByKeyboard } from './support/keyboard.ts';
import { startProvider } from './support/provider.ts';
import { buy, enterShop, notice, setNextOutcome, isDone } from './support/shop-states.ts';
import { test } from './support/test.ts';

/** Moves the focus to an element with Tab, like a user without a pointer. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const focused = await page.evaluate(
      () => (document.activeElement as HTMLElement | null)?.dataset['testid'],
    );
    if (focused === id) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach "${id}"`);
}

test('a customer can verify and order with the keyboard only', async ({ page, provider }) => {
  await enterShop(page, provider, 'mode=popup&autoReturn=true');
  await setNextOutcome(provider, 'verified');
  await tabTo(page, 'buy');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('basket')).toHaveAttribute('data-count', '1');
  await expect(page.getByTestId('added')).toHaveText('Deichgraf: 1 in your basket.');
  await page.getByRole('link', { name: /^1 in basket ?: Deichgraf$/ }).press('Enter');
  await expect(page.locator('#basket-title')).toBeFocused();
  await expect(page.locator('#basket-title')).toBeInViewport();
  await tabTo(page, 'checkout');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('refusal')).toContainText('age of this customer is not confirmed');
  await tabTo(page, 'verify-from-basket');
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
  await expect(popup.getByTestId('start')).toBeVisible();
  await tabTo(popup, 'start');
  await popup.keyboard.press('Enter');
  await popup.locator('main[data-view=capture][data-step=face]').waitFor();
  await tabTo(popup, 'capture');
  await Promise.all([popup.waitForEvent('close'), popup.keyboard.press('Enter').catch(() => {})]);
  await notice(page, 'open');
  await tabTo(page, 'checkout');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Thank you for your order' })).toBeFocused();
  await expect(page.getByTestId('order-number')).toHaveText(/^K-[0-9A-F]{6}$/);
  await expect(page.getByTestId('basket')).toHaveAttribute('data-count', '0');
  await page.getByTestId('to-shelf').press('Enter');
  await expect(page.locator('#shelf-title')).toBeInViewport();
});

test('the actions in the shop do not lose the keyboard focus', async ({ page }) => {
  test.slow();
  // A separate provider, because the test moves the clock.
  const provider = await startProvider();
  try {
    await enterShop(page, provider, 'mode=popup&skipIntro=true&autoReturn=true');
    const at = (id: string) => page.getByTestId(id);
    const count = (n: number) => expect(at('basket')).toHaveAttribute('data-count', String(n));
    await at('clock-toggle').press('Enter');
    const freeze = at('clock-freeze');
    await pressByKeyboard(freeze, () => expect(freeze).toHaveText('Resume'));
    const before = (await at('clock').textContent()) ?? '';
    const advance = at('clock-advance-60000');
    await pressByKeyboard(advance, () => expect(at('clock')).not.toHaveText(before));
    await pressByKeyboard(freeze, () => expect(freeze).toHaveText('Freeze'));
    await freeze.press('Escape');

    for (let n = 1; n <= 11; n += 1) await buy(page);
    await pressByKeyboard(at('buy').first(), () => count(12));
    const less = page.getByRole('button', { name: /^Remove one/ });
    await pressByKeyboard(less, () => count(11));
    await pressByKeyboard(page.getByRole('button', { name: /^Add one/ }), () => count(12));
    for (let n = 11; n >= 1; n -= 1) await less.click();
    await pressByKeyboard(less, () => count(0));
    await expect(page.locator('#basket-title')).toBeFocused();

    await pressByKeyboard(at('buy').first(), () => count(1));
    await pressByKeyboard(at('checkout'), () => expect(at('refused')).toBeVisible());
    await expect(at('checkout')).toBeFocused();

    await setNextOutcome(provider, 'verified');
    const popup = page.waitForEvent('popup');
    await pressByKeyboard(at('verify-age'), async () => {
      await takePictures(await popup, 'verified');
      await notice(page, 'open');
    });
    await expect(at('to-basket')).toBeFocused();
    await pressByKeyboard(at('checkout'), () => expect(at('confirmation')).toBeVisible());
    const goOn = page.getByRole('button', { name: 'Continue shopping' });
    await pressByKeyboard(goOn, () => expect(at('confirmation')).toHaveCount(0));
    await expect(page.locator('#basket-title')).toBeFocused();
    await pressByKeyboard(at('forget-access'), () => notice(page, 'closed'));
    await expect(at('verify-age')).toBeFocused();

    await isDone(page, 'purchase');
    await pressByKeyboard(at('start-over'), () => expect(at('start-over')).toHaveCount(0));
    await pressByKeyboard(at('unfold-paused'), () => expect(at('start-paused')).toBeVisible());
    await pressByKeyboard(at('start-paused'), () => isDone(page, 'paused'));
    await expect(at('dashboard-paused')).toBeVisible();
    await expect(at('dashboard-redelivered')).toHaveCount(0);
    await pressByKeyboard(at('accept-webhooks'), () =>
      expect(at('accept-webhooks')).toHaveCount(0),
    );
    await expect(at('dashboard-redelivered')).toHaveText('Do it in the console');
    await at('dashboard-redelivered').press('Enter');
    await expect(at('test-and-resume')).toBeVisible();
  } finally {
    await provider.stop();
  }
});
