/** The hosted page as shoppers use it: the result, the choice of document, help and privacy. */
import { expect, type Page } from '@playwright/test';
import { LANGUAGES } from '../../playground/verify/language.ts';
import { MESSAGES } from '../../playground/verify/messages/index.ts';
import { NOTICES } from '../../playground/verify/privacy/notices.ts';
import { findBarriers, findOverflow } from './support/accessibility.ts';
import { closeResult, takePicture, takePictures } from './support/hosted-page.ts';
import { createSession } from './support/hosted-session.ts';
import { stay } from './support/hosted-states.ts';
import type { Provider } from './support/provider.ts';
import { test } from './support/test.ts';

const L2 = { verificationMode: 'L2', faceMatchEnabled: true } as const;

/** Opens the check in a popup of the shop. */
async function openPopup(page: Page, provider: Provider, query: string): Promise<Page> {
  await page.goto(`${provider.shop}/?mode=popup&skipIntro=true&${query}`);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByTestId('verify-age').click(),
  ]);
  await popup.locator('main[data-view=capture]').waitFor();
  return popup;
}

test('a popup shows the result before it notifies the shop and closes', async ({
  page,
  provider,
}) => {
  const popup = await openPopup(page, provider, '');
  await stay(popup, () => takePictures(popup, 'verified'));
  await expect(popup.getByRole('heading', { level: 1 })).toHaveText(MESSAGES.en.verifiedTitle);
  await expect(popup.locator('.returning')).toHaveText(/^Returning to .+…$/);
  await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'waiting');
  expect(popup.isClosed()).toBe(false);
  await Promise.all([popup.waitForEvent('close'), closeResult(popup)]);
  await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'verified');
});

test('a popup that shows a result closes automatically', async ({ page, provider }) => {
  const popup = await openPopup(page, provider, '');
  await Promise.all([popup.waitForEvent('close'), takePictures(popup, 'verified')]);
  await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'verified');
});

test('closing the popup while it shows the result does not cancel the verification', async ({
  page,
  provider,
}) => {
  const popup = await openPopup(page, provider, '');
  await stay(popup, () => takePictures(popup, 'verified'));
  await popup.close({ runBeforeUnload: true });
  await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'verified');
});

test('with auto_return the popup leaves without showing the result', async ({ page, provider }) => {
  const popup = await openPopup(page, provider, 'autoReturn=true');
  await popup.evaluate(() => {
    new MutationObserver(() => {
      const shown = document.querySelector('.returning') !== null;
      if (shown) localStorage.setItem('returning-shown', 'true');
    }).observe(document.body, { subtree: true, childList: true });
  });
  await takePictures(popup, 'verified');
  await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'verified');
  const origin = new URL(provider.apiBase).origin;
  await page.goto(`${origin}/verify/privacy/`);
  expect(await page.evaluate(() => localStorage.getItem('returning-shown'))).toBeNull();
});

test('after a lost connection the shopper takes the picture again and passes', async ({
  page,
  context,
  provider,
}) => {
  const { verifyUrl, sessionId } = await createSession(provider);
  await page.goto(`${verifyUrl}&skip_intro=true`);
  await page.locator('[data-testid=camera][data-camera=live]').waitFor();
  await context.setOffline(true);
  const lost = page.getByText(MESSAGES.en.offline);
  await expect(lost).toBeVisible();
  await takePicture(page, 'face');
  await expect(page.locator('main[data-view=processing]')).toBeVisible();
  // The submission did not reach the service, so the page returns to its step.
  await expect(page.locator('main[data-view=capture][data-step=face]')).toBeVisible();
  await context.setOffline(false);
  await expect(lost).toBeHidden();
  await takePicture(page, 'face');
  await page.waitForURL('**/return/**');
  expect((await provider.client.session(sessionId)).status).toBe('verified');
});

test('a failure because of image quality explains the next step', async ({ page, provider }) => {
  const { verifyUrl } = await createSession(provider, {
    session: { externalUserId: 'ofage_test:failed_image_quality' },
  });
  await page.goto(`${verifyUrl}&skip_intro=true`);
  await takePictures(page, 'failed_image_quality');
  await expect(page.getByTestId('result')).toContainText(MESSAGES.en.failed_image_quality);
  await expect(page.getByTestId('result')).toContainText(MESSAGES.en.next_image_quality);
});

test('the shopper can choose a passport, which needs no picture of a back', async ({
  page,
  provider,
}) => {
  const { verifyUrl, sessionId } = await createSession(provider, { tenant: { policy: L2 } });
  const bodies: string[] = [];
  page.on('request', (request) => void bodies.push(request.postData() ?? ''));
  await page.goto(verifyUrl);
  await page.getByTestId('start').click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(page.locator('.step-count')).toHaveText('Step 1 of 3');
  await expect(page.getByTestId('document-id_card')).toBeChecked();
  await page.getByTestId('document-id_card').focus();
  await page.keyboard.press('ArrowRight');
  await expect(heading).toHaveText(MESSAGES.en.frontTitle_passport);
  await expect(page.getByTestId('document-passport')).toBeFocused();
  await expect(page.locator('.step-count')).toHaveText('Step 1 of 2');
  await takePicture(page, 'front');
  await takePicture(page, 'selfie');
  await page.waitForURL('**/return/**');
  expect((await provider.client.session(sessionId)).status).toBe('verified');
  // The choice is not sent to the service.
  expect(bodies.join()).not.toMatch(/passport/);
});

test('the first step shows its number while the total is unknown', async ({ page, provider }) => {
  const { verifyUrl } = await createSession(provider);
  await page.goto(verifyUrl);
  await page.getByTestId('outcome').selectOption('verified_after_id');
  await page.getByTestId('start').click();
  await expect(page.locator('.step-count')).toHaveText('Step 1 of up to 4');
  await takePicture(page, 'face');
  await expect(page.locator('.step-count')).toHaveText('Step 2 of 4');
});

test('the privacy notice opens in a new tab, in the language of the page', async ({
  page,
  provider,
}) => {
  const { verifyUrl } = await createSession(provider);
  await page.goto(`${verifyUrl}&lang=de`);
  const [notice] = await Promise.all([
    page.waitForEvent('popup'),
    page.locator('main').getByTestId('privacy-notice').click(),
  ]);
  await notice.setViewportSize({ width: 320, height: 640 });
  await expect(notice.locator('html')).toHaveAttribute('lang', 'de');
  expect(notice.url()).not.toMatch(/token/i);
  expect(await findBarriers(notice)).toEqual([]);
  for (const language of LANGUAGES) {
    await notice.getByTestId('language').selectOption(language);
    await expect(notice.locator('h1')).toHaveText(NOTICES[language].title);
    await expect(notice).toHaveTitle(`${NOTICES[language].title} · OfAge`);
    expect(await findOverflow(notice), language).toBeLessThanOrEqual(0);
  }
  await expect(page.getByTestId('start')).toBeVisible();
});

test('help opens during a step, and returns the focus when it closes', async ({
  page,
  provider,
}) => {
  const { verifyUrl } = await createSession(provider);
  await page.goto(`${verifyUrl}&skip_intro=true`);
  await page.getByTestId('help').click();
  const dialog = page.getByTestId('help-dialog');
  await expect(dialog).toContainText(MESSAGES.en.helpDocument);
  await expect(dialog.getByTestId('privacy-notice')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByTestId('help')).toBeFocused();
  await expect(page.locator('main[data-view=capture]')).toBeVisible();
});

test('a long shop name wraps and hides no button', async ({ page, provider }) => {
  const merchantName = 'W'.repeat(200);
  const { verifyUrl, sessionId } = await createSession(provider, { session: { merchantName } });
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(verifyUrl);
  await expect(page.getByTestId('start')).toBeVisible();
  expect(await findOverflow(page)).toBeLessThanOrEqual(0);
  await provider.client.settle(sessionId, 'failed_age_not_met');
  const back = page.getByTestId('back');
  await expect(back).toContainText(merchantName);
  expect(await findOverflow(page)).toBeLessThanOrEqual(0);
  expect(await back.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('billing details are shown only in the sandbox', async ({ page, provider }) => {
  const billingBlock = { code: 'SUBSCRIPTION_REQUIRED', message: 'Choose a plan to go live' };
  for (const sandboxMode of [true, false]) {
    const { verifyUrl } = await createSession(provider, { tenant: { billingBlock, sandboxMode } });
    await page.goto(verifyUrl);
    await expect(page.getByTestId('notice')).toHaveAttribute('data-kind', 'billing');
    await expect(page.getByTestId('billing-message')).toHaveCount(sandboxMode ? 1 : 0);
  }
});
