/** The hosted page by itself: every state of it, and what a shopper and a second device can do there. */
import { expect, type Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import { LANGUAGES } from '../../playground/verify/language.ts';
import { MESSAGES } from '../../playground/verify/messages/index.ts';
import { findBarriers, findOverflow } from './support/accessibility.ts';
import { takePicture, takePictures } from './support/hosted-page.ts';
import { createSession, hostedStates } from './support/hosted-states.ts';
import { test } from './support/test.ts';

const L2 = { verificationMode: 'L2', faceMatchEnabled: true } as const;
const view = (page: Page, name: string) => page.locator(`main[data-view=${name}]`);

/** What a shopper would read or hear that is in no language: the pseudo-language puts brackets around. */
const untranslated = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts: string[] = [document.title.replace(/ · OfAge$/, '')];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (element?.closest('[translate=no], noscript, script, style')) continue;
      texts.push(walker.currentNode.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [alt], [title]')) {
      for (const name of ['aria-label', 'alt', 'title']) {
        texts.push(element.getAttribute(name) ?? '');
      }
    }
    return texts.map((text) => text.trim()).filter((text) => !/^(⟦[^]*⟧)?$/.test(text));
  });

/** Where the page is wider than its window, and one would have to scroll sideways. */
// A few states a test: each takes a second or two, and they run beside each other.
const SHARE = 8;
for (let from = 0; from < hostedStates.length; from += SHARE) {
  const share = hostedStates.slice(from, from + SHARE);
  const names = `${share[0]?.name} to ${share.at(-1)?.name}`;
  test(`every state is accessible, translated and fits: ${names}`, async ({ page, provider }) => {
    test.slow();
    // 320 px is what is left of a small window at 200 %, and the pseudo-language is a third longer.
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const { name, reach } of share) {
      await test.step(name, async () => {
        await reach(page, provider, 'lang=x-pseudo');
        expect.soft(await untranslated(page), `${name} is translated`).toEqual([]);
        expect.soft(await findOverflow(page), `${name} fits`).toBeLessThanOrEqual(0);
        expect.soft(await findBarriers(page), `${name} is accessible`).toEqual([]);
      });
    }
  });
}

test('the whole way with the keyboard alone, the focus on each new heading, and no image leaves', async ({
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

  /** Presses Tab until the control has the focus, as far as there are controls. */
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

  // One camera for both sides of the document, and the other for the face; all of them off again.
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
  // Beside heartbeats there is one that says something, and it says how good the pictures were.
  expect(bodies.filter((body) => body !== '{}')).toEqual(['{"imageQuality":"good"}']);

  await press('back');
  await page.waitForURL(/\/return\/\?sessionId=[^&]+&status=failed&timestamp=\d+&externalUserId=/);
});

test('a picture that is not usable is taken again, without a camera too', async ({
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
  await expect(page.getByRole('alert')).toContainText(MESSAGES.en.camera_missingTitle);
  await page.getByTestId('blurred').check();
  await takePicture(page, 'face');
  await expect(view(page, 'retake')).toContainText('You can take 2 more pictures.');
  await page.getByTestId('retake').click();
  // Nobody is asked twice for a camera that is not there.
  await expect(page.getByTestId('camera')).toHaveAttribute('data-camera', 'simulated');
  await page.getByTestId('outcome').selectOption('verified');
  await takePicture(page, 'face');
  await page.waitForURL('**/return/**');
  const { status } = await provider.client.session(sessionId);
  expect(status).toBe('verified');
});

test('a shopper who leaves in the middle goes on where they were', async ({ page, provider }) => {
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

  // Another tab comes to the front: the camera goes off.
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

test('a check that ended while the page was loading is not taken for a cancelled one', async ({
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

test('two devices: the second goes on by the code, the first follows and tells the shop', async ({
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

  // Back to the first and over again: never on both.
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

test('a second device that is closed hands the check back', async ({ page, provider, context }) => {
  const { verifyUrl } = await createSession(provider);
  await page.goto(verifyUrl);
  await page.getByTestId('handoff').click();
  const [second] = await Promise.all([
    context.waitForEvent('page'),
    page.getByTestId('handoff-link').click(),
  ]);
  await expect(view(second, 'intro')).toBeVisible();
  await expect(view(page, 'following')).toBeVisible();
  await second.close({ runBeforeUnload: true });
  await expect(view(page, 'intro')).toBeVisible();
});

test('nothing moves when the choice of outcomes comes late', async ({ page, provider }) => {
  let answer = (): void => {};
  const isAsked = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/control/v1/scenarios', async (route) => {
    await isAsked;
    await route.continue();
  });
  const { verifyUrl } = await createSession(provider);
  await page.goto(verifyUrl);
  const start = page.getByTestId('start');
  await expect(start).toBeVisible();
  const before = await start.boundingBox();
  answer();
  await expect(page.getByTestId('outcome').locator('option').nth(2)).toBeAttached();
  expect(await start.boundingBox()).toEqual(before);
});

test('every outcome can be chosen after a first try without a connection', async ({
  page,
  provider,
}) => {
  await page.route('**/hosted/v1/session', (route) => route.abort(), { times: 1 });
  const { verifyUrl } = await createSession(provider);
  await page.goto(verifyUrl);
  await page.getByTestId('retry').click();
  await expect(page.getByTestId('outcome').locator('option').nth(2)).toBeAttached();
});

test('the chooser stands where it stood after a reload, before its catalogue is here too', async ({
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

test('asking for the camera again leaves the focus where it was, and then on the heading', async ({
  page,
  provider,
}) => {
  const { verifyUrl } = await createSession(provider);
  await page.goto(verifyUrl);
  // A camera that answers when the test says so.
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

  await retry.press('Enter');
  await expect(alert).toContainText(MESSAGES.en.cameraAsking);
  await expect(retry).toBeFocused();
  await retry.press('Enter');
  await answer('refuse');
  await expect(alert).toContainText(MESSAGES.en.camera_busyTitle);
  await expect(retry).toBeFocused();
  // What was pressed while it was being asked asked for nothing.
  expect(await page.evaluate(() => Object(window).asked)).toBe(2);

  await retry.press('Enter');
  await answer('allow');
  await expect(camera).toHaveAttribute('data-camera', 'live');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('without a server another tab of the same browser takes over', async ({
  page,
  site,
  context,
}) => {
  await page.goto(`${site.url}?mode=redirect`);
  await page.getByTestId('verify-age').click();
  await page.getByTestId('handoff').click();
  await expect(page.getByText(MESSAGES.en.handoffBrowser)).toBeVisible();
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

test('lang, skip_intro and auto_return do what they say', async ({ page, provider }) => {
  const { verifyUrl } = await createSession(provider, {
    session: { externalUserId: 'ofage_test:verified' },
  });
  for (const language of LANGUAGES) {
    // In any spelling that a browser gives.
    await page.goto(`${verifyUrl}&lang=${language.toUpperCase()}-XX`);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.locator('h1')).toHaveText(MESSAGES[language].introTitle);
  }
  await page.goto(`${verifyUrl}&lang=nl`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  const response = await page.goto(`${verifyUrl}&skip_intro=true&auto_return=true`);
  // Any value would cut the page off from the shop that opened it.
  expect(response?.headers()).not.toHaveProperty('cross-origin-opener-policy');
  await expect(page.getByTestId('start')).toHaveCount(0);
  await takePictures(page, 'verified');
  await page.waitForURL('**/return/?sessionId=*&status=verified&timestamp=*&externalUserId=*');
});

/** Reads the code as a phone does: from what is on screen. */
async function readQrCode(page: Page): Promise<string> {
  const code = page.getByTestId('qr');
  await code.locator('path').waitFor();
  const png = await code.screenshot({ scale: 'css' });
  const image = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const data = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
    return { width: bitmap.width, height: bitmap.height, data: [...data] };
  }, png.toString('base64'));
  return decodeQR({ ...image, data: Uint8Array.from(image.data) });
}
