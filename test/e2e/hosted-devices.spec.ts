import { expect, type Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import { MESSAGES } from '../../playground/verify/messages/index.ts';
import { takePicture } from './support/hosted-page.ts';
import { createSession } from './support/hosted-session.ts';
import { test } from './support/test.ts';

const view = (page: Page, name: string) => page.locator(`main[data-view=${name}]`);

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

test('closing the second page of a hand-off returns the verification to the first page', async ({
  page,
  provider,
  context,
}) => {
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

test('static playground: another tab of the same browser can complete the check', async ({
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

/** Decodes the QR code from the screen, like a phone. */
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
