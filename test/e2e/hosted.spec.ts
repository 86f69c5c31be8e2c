/** The hosted page: the journeys of a shopper through a check. */
import { expect, type Page } from '@playwright/test';
import { LANGUAGES } from '../../playground/shared/languages.ts';
import { MESSAGES } from '../../playground/verify/messages/index.ts';
import { findBarriers, findOverflow } from './support/accessibility.ts';
import { closeResult, takePicture, takePictures } from './support/hosted-page.ts';
import { createSession } from './support/hosted-session.ts';
import { hostedStates, stay } from './support/hosted-states.ts';
import type { Provider } from './support/provider.ts';
import { readQrCode } from './support/read-qr-code.ts';
import { test } from './support/test.ts';

const { en } = MESSAGES;
const L2 = { verificationMode: 'L2', faceMatchEnabled: true } as const;
const view = (page: Page, name: string) => page.locator(`main[data-view=${name}]`);
const primary = (page: Page) => page.locator('main .button--primary');

/** Opens the check in a popup of the shop. */
async function openPopup(page: Page, provider: Provider): Promise<Page> {
  await page.goto(`${provider.shop}/?mode=popup&skipIntro=true`);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByTestId('verify-age').click(),
  ]);
  await view(popup, 'capture').waitFor();
  return popup;
}

test('a shopper can complete a check by keyboard, and the page focuses each heading and sends no image', async ({
  page,
  provider,
}) => {
  const requests: { url: string; body: string }[] = [];
  page.on('request', (request) => {
    requests.push({ url: request.url(), body: request.postData() ?? '' });
  });
  await page.addInitScript(() => {
    const streams: MediaStream[] = [];
    const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    const asked: unknown[] = [];
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      asked.push(Object(constraints?.video).facingMode);
      const stream = await real(constraints);
      streams.push(stream);
      return stream;
    };
    Object.assign(window, { streams, asked });
  });
  const { verifyUrl } = await createSession(provider, {
    tenant: { policy: L2, sandboxMode: false },
    session: { externalUserId: 'ofage_test:failed_face_mismatch' },
  });
  await page.goto(verifyUrl);

  /** Moves the focus to the control with Tab and presses it. */
  const press = async (testId: string): Promise<void> => {
    const control = page.getByTestId(testId);
    await control.waitFor();
    for (let tab = 0; tab < 8; tab += 1) {
      if (await control.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(control).toBeFocused();
    await page.keyboard.press('Enter');
  };
  const heading = page.getByRole('heading', { level: 1 });
  await press('start');
  for (const step of ['front', 'back', 'selfie'] as const) {
    await page.locator(`main[data-step=${step}]`).waitFor();
    await expect(heading).toHaveText(en[`${step}Title`]);
    await expect(heading).toBeFocused();
    await expect(page.getByTestId('camera')).toHaveAttribute('data-camera', 'live');
    await press('capture');
  }
  const result = page.getByTestId('result');
  await expect(result).toHaveAttribute('data-status', 'failed');
  await expect(result).toContainText(en.failed_face_mismatch);
  await expect(result).toContainText(en.next_face_mismatch);
  await expect(heading).toBeFocused();

  // The page opens one camera for both sides of the document and another for the face. Both are off at the
  // end.
  expect(await page.evaluate(() => (window as any).asked)).toEqual([
    { ideal: 'environment' },
    { ideal: 'user' },
  ]);
  const states = await page.evaluate(() =>
    (window as any).streams.flatMap((stream: MediaStream) =>
      stream.getTracks().map(({ readyState }) => readyState),
    ),
  );
  expect(states).toEqual(['ended', 'ended']);
  expect(new Set(requests.map(({ url }) => new URL(url).origin))).toEqual(
    new Set([new URL(verifyUrl).origin]),
  );
  const bodies = requests.map(({ body }) => body).filter(Boolean);
  // Apart from heartbeats, only one request has content: the image quality.
  expect(bodies.filter((body) => body !== '{}')).toEqual(['{"imageQuality":"good"}']);

  await press('back');
  await page.waitForURL(/\/return\/\?sessionId=[^&]+&status=failed&timestamp=\d+&externalUserId=/);
});

test('a shopper whose camera is missing continues without it, and takes an unusable picture again', async ({
  page,
  provider,
}) => {
  const { verifyUrl, sessionId } = await createSession(provider);
  await page.goto(verifyUrl);
  await page.evaluate(() => {
    const refuse = () => Promise.reject(new DOMException('None', 'NotFoundError'));
    Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: refuse });
  });
  await page.getByTestId('start').click();
  await expect(page.getByRole('alert')).toContainText(en.camera_missingTitle);
  await expect(primary(page)).toHaveText(en.cameraRetry);
  await expect(page.getByTestId('capture')).toHaveText(`${en.sandbox}${en.withoutCamera}`);
  await page.getByTestId('blurred').check();
  await takePicture(page, 'face');
  await expect(view(page, 'retake')).toContainText('You can take 2 more photos.');
  await page.getByTestId('retake').click();
  // The page does not request a missing camera again.
  await expect(page.getByTestId('camera')).toHaveAttribute('data-camera', 'simulated');
  await page.getByTestId('outcome').selectOption('verified');
  await takePicture(page, 'face');
  await page.waitForURL('**/return/**');
  expect((await provider.client.session(sessionId)).status).toBe('verified');
});

test('where browsers allow no camera, the primary button continues without it', async ({
  page,
  provider,
}) => {
  await hostedStates.find(({ name }) => name === 'camera-insecure')?.reach(page, provider);
  await expect(page.getByRole('alert')).toContainText(en.camera_insecureTitle);
  await expect(primary(page)).toHaveText(`${en.sandbox}${en.withoutCamera}`);
  await primary(page).click();
  await expect(page.getByTestId('result')).toHaveAttribute('data-status', 'verified');
});

test('retrying the camera keeps the focus on the button, and moves it to the heading once the camera works', async ({
  page,
  provider,
}) => {
  const { verifyUrl } = await createSession(provider, { tenant: { sandboxMode: false } });
  await page.goto(verifyUrl);
  // Installs a camera whose access request the test answers.
  await page.evaluate(() => {
    const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    let refuse = (): void => {};
    let allow = (): void => {};
    const ask = (constraints: MediaStreamConstraints): Promise<MediaStream> => {
      Object.assign(window, { asked: Object(window).asked + 1 });
      return new Promise((resolve, reject) => {
        refuse = () => reject(new DOMException('In use', 'NotReadableError'));
        allow = () => void real(constraints).then(resolve, reject);
      });
    };
    Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: ask });
    Object.assign(window, { asked: 0, refuse: () => refuse(), allow: () => allow() });
  });
  const answer = (name: 'refuse' | 'allow') => page.evaluate((key) => Object(window)[key](), name);
  const camera = page.getByTestId('camera');
  const retry = page.getByTestId('camera-retry');
  const alert = page.getByRole('alert');
  await page.getByTestId('start').click();
  await expect(camera).toHaveAttribute('data-camera', 'asking');
  await answer('refuse');
  await expect(alert).toContainText(en.camera_busyTitle);

  await retry.press('Enter');
  await expect(alert).toContainText(en.cameraAsking);
  await expect(retry).toBeFocused();
  await retry.press('Enter');
  await answer('refuse');
  await expect(alert).toContainText(en.camera_busyTitle);
  await expect(retry).toBeFocused();
  // Presses during a pending request caused no further request.
  expect(await page.evaluate(() => Object(window).asked)).toBe(2);

  await retry.press('Enter');
  await answer('allow');
  await expect(camera).toHaveAttribute('data-camera', 'live');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('a shopper whose face is not enough shows a passport, chosen by keyboard', async ({
  page,
  provider,
}) => {
  const { verifyUrl } = await createSession(provider);
  await page.goto(verifyUrl);
  const stepCount = page.locator('.step-count');
  await page.getByTestId('outcome').selectOption('verified_after_id');
  await page.getByTestId('start').click();
  await expect(stepCount).toHaveText('Step 1 of up to 4');
  await takePicture(page, 'face');
  await expect(stepCount).toHaveText('Step 2 of 4');
  await page.getByTestId('document-id_card').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(en.frontTitle_passport);
  await expect(page.getByTestId('document-passport')).toBeFocused();
  await expect(stepCount).toHaveText('Step 2 of 3');
  await takePicture(page, 'front');
  await takePicture(page, 'selfie');
  await expect(page.getByTestId('result')).toHaveAttribute('data-status', 'verified');
});

test('a shopper who leaves and returns continues at the same step, with the chosen outcome', async ({
  page,
  provider,
}) => {
  const { verifyUrl } = await createSession(provider, { tenant: { policy: L2 } });
  await page.goto(verifyUrl);
  const outcome = page.getByTestId('outcome');
  await outcome.selectOption('failed_face_mismatch');
  await page.getByTestId('start').click();
  await takePicture(page, 'front');
  await expect(page.getByTestId('camera')).toHaveAttribute('data-camera', 'live');
  await page.reload();
  await expect(view(page, 'resume')).toContainText(en.backTitle);
  await expect(page.getByTestId('countdown')).toBeVisible();
  await expect(outcome).toHaveValue('failed_face_mismatch');
  await page.getByTestId('resume').click();
  await expect(view(page, 'capture')).toHaveAttribute('data-step', 'back');

  // The camera is switched off when another tab is selected.
  const hide = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await hide('hidden');
  await expect(view(page, 'resume')).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);
  await hide('visible');
  await page.getByTestId('resume').click();
  await takePicture(page, 'back');
  await takePicture(page, 'selfie');
  await expect(page.getByTestId('result')).toHaveAttribute('data-status', 'failed');
});

for (const [how, close] of [
  ['it by its button', closeResult],
  ['the window', (popup: Page) => popup.close({ runBeforeUnload: true })],
] as const) {
  test(`a popup shows the result, and notifies the shop when the shopper closes ${how}`, async ({
    page,
    provider,
  }) => {
    const popup = await openPopup(page, provider);
    await stay(popup, () => takePictures(popup, 'verified'));
    await expect(popup.getByRole('heading', { level: 1 })).toHaveText(en.verifiedTitle);
    await expect(popup.locator('.returning')).toHaveText(/^Returning to .+…$/);
    await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'waiting');
    await Promise.all([popup.waitForEvent('close'), close(popup)]);
    await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'verified');
  });
}

test('a verification that ended while the page was loading does not count as cancelled', async ({
  page,
  provider,
}) => {
  const popup = await openPopup(page, provider);
  await popup.route('**/hosted/v1/heartbeat', (route) => route.abort());
  const sessionId = new URL(popup.url()).searchParams.get('sessionId') ?? '';
  await provider.client.settle(sessionId, 'verified');
  await popup.reload();
  await expect(popup.getByTestId('notice')).toHaveAttribute('data-kind', 'used');
  await Promise.all([popup.waitForEvent('close'), popup.getByTestId('back').click()]);
  await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'verified');
});

test('a link that does not work leads back, or closes the popup', async ({ page, provider }) => {
  const { verifyUrl } = await createSession(provider);
  const broken = verifyUrl.slice(0, -4);
  await page.goto(broken);
  await expect(page.getByTestId('notice')).toHaveAttribute('data-kind', 'invalid');
  // The address was typed, so that no page of a shop is behind it.
  await expect(page.getByTestId('back')).toHaveCount(0);

  const shop = `${provider.shop}/return/`;
  await page.goto(shop);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate((url) => void window.open(url), broken),
  ]);
  await expect(popup.getByTestId('back')).toHaveText(en.close);
  await Promise.all([popup.waitForEvent('close'), popup.getByTestId('back').click()]);

  await page.evaluate((url) => void location.assign(url), broken);
  await expect(page.getByTestId('back')).toHaveText(en.goBack);
  await page.getByTestId('back').click();
  await page.waitForURL(shop);
});

test('help and consent open the privacy notice over the page, in its language', async ({
  page,
  provider,
}) => {
  const { verifyUrl } = await createSession(provider);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${verifyUrl}&lang=de`);
  const consent = page.locator('main').getByTestId('privacy-notice');
  const notice = page.getByTestId('privacy');
  await consent.click();
  await expect(notice).toContainText(MESSAGES.de.privacyStored);
  await page.keyboard.press('Escape');
  await expect(notice).toBeHidden();
  await expect(consent).toBeFocused();
  for (const language of LANGUAGES) {
    await page.getByTestId('language').selectOption(language);
    await page.getByTestId('help').click();
    const help = page.getByTestId('help-dialog');
    await help.getByTestId('privacy-notice').click();
    await expect(notice.locator('h2')).toHaveText(MESSAGES[language].privacyTitle);
    expect(await findBarriers(page), language).toEqual([]);
    expect(await findOverflow(page), language).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
    await expect(notice).toBeHidden();
    await expect(help.getByTestId('privacy-notice')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(help).toBeHidden();
    await expect(page.getByTestId('help')).toBeFocused();
  }
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

test('two devices: the second device continues with the QR code, and the first device returns to the shop', async ({
  page,
  provider,
  browser,
}) => {
  const { verifyUrl, sessionId } = await createSession(provider);
  await page.goto(`${verifyUrl}&lang=de`);
  await page.getByTestId('handoff').click();
  const shown = await readQrCode(page);
  expect(shown).toBe(await page.getByTestId('handoff-link').getAttribute('href'));
  expect(shown).toContain('handoffToken=');
  expect(shown).not.toContain('sessionToken');

  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    permissions: ['camera'],
  });
  const second = await phone.newPage();
  await second.goto(shown);
  await expect(second.locator('html')).toHaveAttribute('lang', 'de');
  await expect(view(page, 'following')).toBeVisible();
  await second.getByTestId('start').click();
  await second.getByTestId('outcome').selectOption('verified_after_id');
  await takePicture(second, 'face');
  await second.locator('main[data-step=front]').waitFor();

  // The shopper returns to the first device and then to the second again. Only one is active at a time.
  await page.getByTestId('continue-here').click();
  await expect(view(second, 'following')).toBeVisible();
  await expect(second.locator('video')).toHaveCount(0);
  await second.getByTestId('continue-here').click();
  await second.getByTestId('resume').click();
  await expect(view(page, 'following')).toBeVisible();
  for (const step of ['front', 'back', 'selfie']) await takePicture(second, step);

  await expect(second.getByTestId('result')).toHaveAttribute('data-status', 'verified');
  await expect(second.getByText(MESSAGES.de.doneHere)).toBeVisible();
  await page.waitForURL(`${provider.shop}/return/?sessionId=${sessionId}&status=verified&**`);
  await phone.close();
});

test('static playground: another tab of the same browser can complete the check', async ({
  page,
  site,
  context,
}) => {
  await page.goto(`${site.url}?mode=redirect`);
  await page.getByTestId('verify-age').click();
  await page.getByTestId('handoff').click();
  await expect(page.getByText(en.handoffBrowser)).toBeVisible();
  const [second] = await Promise.all([
    context.waitForEvent('page'),
    page.getByTestId('handoff-link').click(),
  ]);
  await second.getByTestId('start').click();
  await expect(view(page, 'following')).toBeVisible();
  await takePicture(second, 'face');
  await page.waitForURL('**/return/**');
  await expect(page.getByTestId('decision')).toHaveAttribute('data-access', 'true');
});
