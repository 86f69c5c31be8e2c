/** The hosted page: journeys of a shopper, the camera, the list of outcomes and the URL parameters. */
import { expect, type Page } from '@playwright/test';
import { LANGUAGES } from '../../playground/verify/language.ts';
import { MESSAGES } from '../../playground/verify/messages/index.ts';
import { holdBack } from './support/hold-back.ts';
import { takePicture, takePictures } from './support/hosted-page.ts';
import { createSession } from './support/hosted-session.ts';
import { test } from './support/test.ts';

const L2 = { verificationMode: 'L2', faceMatchEnabled: true } as const;
const view = (page: Page, name: string) => page.locator(`main[data-view=${name}]`);

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
    await expect(heading).toHaveText(MESSAGES.en[`${step}Title`]);
    await expect(heading).toBeFocused();
    await expect(page.getByTestId('camera')).toHaveAttribute('data-camera', 'live');
    await press('capture');
  }
  await expect(page.getByTestId('result')).toHaveAttribute('data-status', 'failed');
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

test('without a camera, an unusable picture is retaken', async ({ page, provider }) => {
  const { verifyUrl, sessionId } = await createSession(provider);
  await page.goto(verifyUrl);
  await page.evaluate(() => {
    const refuse = () => Promise.reject(new DOMException('None', 'NotFoundError'));
    Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: refuse });
  });
  await page.getByTestId('start').click();
  await expect(page.getByRole('alert')).toContainText(MESSAGES.en.camera_missingTitle);
  await expect(page.locator('main .button--primary')).toHaveText(MESSAGES.en.withoutCamera);
  await page.getByTestId('blurred').check();
  await takePicture(page, 'face');
  await expect(view(page, 'retake')).toContainText('You can take 2 more photos.');
  await page.getByTestId('retake').click();
  // The page does not request a missing camera again.
  await expect(page.getByTestId('camera')).toHaveAttribute('data-camera', 'simulated');
  await page.getByTestId('outcome').selectOption('verified');
  await takePicture(page, 'face');
  await page.waitForURL('**/return/**');
  const { status } = await provider.client.session(sessionId);
  expect(status).toBe('verified');
});

test('a shopper who leaves and returns continues at the same step', async ({ page, provider }) => {
  const { verifyUrl } = await createSession(provider, { tenant: { policy: L2 } });
  await page.goto(verifyUrl);
  await page.getByTestId('start').click();
  await takePicture(page, 'front');
  await expect(page.getByTestId('camera')).toHaveAttribute('data-camera', 'live');
  await page.reload();
  await expect(view(page, 'resume')).toContainText(MESSAGES.en.backTitle);
  await expect(page.getByTestId('countdown')).toBeVisible();
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
  await expect(page.getByTestId('result')).toHaveAttribute('data-status', 'verified');
});

test('a verification that ended while the page was loading does not count as cancelled', async ({
  page,
  provider,
}) => {
  await page.goto(`${provider.shop}/?mode=popup`);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByTestId('verify-age').click(),
  ]);
  await expect(popup.getByTestId('start')).toBeVisible();
  await popup.route('**/hosted/v1/heartbeat', (route) => route.abort());
  const sessionId = new URL(popup.url()).searchParams.get('sessionId') ?? '';
  await provider.client.settle(sessionId, 'verified');
  await popup.reload();
  await expect(popup.getByTestId('notice')).toHaveAttribute('data-kind', 'used');
  await Promise.all([popup.waitForEvent('close'), popup.getByTestId('back').click()]);
  await expect(page.getByTestId('hint')).toHaveAttribute('data-status', 'verified');
  await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'true');
});

test('the layout does not shift when the list of outcomes loads after the start button is shown', async ({
  page,
  provider,
}) => {
  const release = await holdBack(page, '**/control/v1/scenarios');
  const { verifyUrl } = await createSession(provider);
  await page.goto(verifyUrl);
  const start = page.getByTestId('start');
  await expect(start).toBeVisible();
  const before = await start.boundingBox();
  release();
  await expect(page.getByTestId('outcome').locator('option').nth(2)).toBeAttached();
  expect(await start.boundingBox()).toEqual(before);
});

test('the list of outcomes loads when the shopper retries after a failed first load', async ({
  page,
  provider,
}) => {
  await page.route('**/hosted/v1/session', (route) => route.abort(), { times: 1 });
  const { verifyUrl } = await createSession(provider);
  await page.goto(verifyUrl);
  await page.getByTestId('retry').click();
  await expect(page.getByTestId('outcome').locator('option').nth(2)).toBeAttached();
});

test('the outcome list shows its selection after a reload, even before it has loaded', async ({
  page,
  provider,
}) => {
  const { verifyUrl } = await createSession(provider);
  await page.goto(verifyUrl);
  const outcome = page.getByTestId('outcome');
  await outcome.selectOption('verified_after_id');
  await page.getByTestId('start').click();
  await takePicture(page, 'face');
  await page.locator('main[data-step=front]').waitFor();
  await page.route('**/control/v1/scenarios', () => {});
  await page.reload();
  await expect(view(page, 'resume')).toBeVisible();
  await expect(outcome).toHaveValue('verified_after_id');
  await expect(outcome).toContainText(MESSAGES.en.scenario_verified_after_id);
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
  await expect(alert).toContainText(MESSAGES.en.camera_busyTitle);
  // Only the sandbox, where no picture is used, recommends continuing without a camera.
  await expect(page.locator('main .button--primary')).toHaveText(MESSAGES.en.cameraRetry);

  await retry.press('Enter');
  await expect(alert).toContainText(MESSAGES.en.cameraAsking);
  await expect(retry).toBeFocused();
  await retry.press('Enter');
  await answer('refuse');
  await expect(alert).toContainText(MESSAGES.en.camera_busyTitle);
  await expect(retry).toBeFocused();
  // Presses during a pending request caused no further request.
  expect(await page.evaluate(() => Object(window).asked)).toBe(2);

  await retry.press('Enter');
  await answer('allow');
  await expect(camera).toHaveAttribute('data-camera', 'live');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('lang, skip_intro and auto_return have the specified effect', async ({ page, provider }) => {
  const { verifyUrl } = await createSession(provider, {
    session: { externalUserId: 'ofage_test:verified' },
  });
  for (const language of LANGUAGES) {
    // Passes the language in capitals and with a region, as browsers may send it.
    await page.goto(`${verifyUrl}&lang=${language.toUpperCase()}-XX`);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.locator('h1')).toHaveText(MESSAGES[language].introTitle);
  }
  await page.goto(`${verifyUrl}&lang=nl`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  const response = await page.goto(`${verifyUrl}&skip_intro=true&auto_return=true`);
  // With COOP, the page could be cut off from the shop that opened it.
  expect(response?.headers()).not.toHaveProperty('cross-origin-opener-policy');
  await expect(page.getByTestId('start')).toHaveCount(0);
  await takePictures(page, 'verified');
  await page.waitForURL('**/return/?sessionId=*&status=verified&timestamp=*&externalUserId=*');
});
