import { execFileSync } from 'node:child_process';
import { chromium, expect, type Page } from '@playwright/test';
import { takePictures } from '../e2e/support/hosted-page.ts';
import type { PlaywrightAccount } from 'ofage/testing';

/** Returns the path of Chromium, or an empty string if it is not installed. */
const findChromium = (): string =>
  process.env['CHROMIUM'] ??
  execFileSync('sh', ['-c', 'command -v chromium || true'], { encoding: 'utf8' }).trim();

/** Returns the reason why a page cannot be opened on this machine, or `undefined`. */
export const withoutBrowser = (): string | undefined =>
  findChromium() === '' ? 'Chromium is not installed' : undefined;

/** Verifies a shopper on a shop's page, from the click on the button to the welcome message. */
export function checkPage(
  url: string,
  account: PlaywrightAccount,
  { mode, welcome = 'Welcome' }: { mode: 'popup' | 'redirect'; welcome?: string | undefined },
): Promise<void> {
  return withPage(async (page) => {
    await account.intercept(page);
    await account.nextOutcomes('verified');
    await page.goto(url, { waitUntil: 'networkidle' });
    const button = page.getByRole('button', { name: 'Verify my age' });
    if (mode === 'popup') {
      const [popup] = await Promise.all([page.waitForEvent('popup'), button.click()]);
      await popup.getByTestId('start').click();
      await Promise.all([popup.waitForEvent('close'), takePictures(popup, 'verified')]);
    } else {
      await button.click();
      await page.getByTestId('start').click();
      await takePictures(page, 'verified');
    }
    await expect(page.getByText(welcome, { exact: true })).toBeVisible({ timeout: 20_000 });
  });
}

/** Checks that a page with only `import 'ofage/sdk.min.js'` has the global. */
export function checkGlobal(url: string): Promise<void> {
  return withPage(async (page) => {
    await page.goto(url);
    await expect
      .poll(() => page.evaluate(() => typeof (globalThis as { OfAge?: unknown }).OfAge))
      .toBe('function');
  });
}

/** Passes an empty page of Chromium to `check`, and fails if the page prints a warning or an error. */
async function withPage(check: (page: Page) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      // Prevents requests outside this machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      '--use-fake-device-for-media-stream=fps=5',
      '--use-fake-ui-for-media-stream',
    ],
  });
  try {
    const context = await browser.newContext({ permissions: ['camera'], reducedMotion: 'reduce' });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await check(page);
    if (complaints.length > 0) throw new Error(`The console says:\n${complaints.join('\n')}`);
  } finally {
    await browser.close();
  }
}
