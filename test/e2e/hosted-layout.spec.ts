/** The hosted page on small screens: each step fits into the window, in each language. */
import { expect, type Page } from '@playwright/test';
import { LANGUAGES } from '../../playground/shared/languages.ts';
import { hostedStates } from './support/hosted-states.ts';
import { test } from './support/test.ts';

/** The SDK's popup, two phones in portrait and one in landscape. The styles differ between all of them. */
const SMALL = [
  { width: 480, height: 720 },
  { width: 375, height: 667 },
  { width: 320, height: 568 },
  { width: 667, height: 375 },
];
const DESKTOP = [
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
];

/** The shopper's steps, with the views that can interrupt them. */
const STEPS = [
  ['intro-l1', 'intro-l2', 'intro-production', 'camera-asking', 'camera-denied'],
  ['capture-face', 'capture-simulated', 'capture-front', 'capture-back', 'capture-selfie'],
  ['capture-below-threshold', 'retake', 'resume', 'handoff', 'following', 'second-intro'],
  ['result-verified', 'result-age-not-met', 'result-document-rejected', 'result-on-second'],
  ['expired', 'used', 'unavailable', 'invalid'],
];

const findState = (wanted: string) => hostedStates.find(({ name }) => name === wanted)!;

/** Resolves when the page has the new size. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForFunction(
    ({ width, height }) =>
      innerWidth === width && document.getElementById('app')?.clientHeight === height,
    size,
  );
}

/**
 * Returns for each language the controls that are visible only after scrolling, the number of pixels that
 * the page scrolls, and the frame if it extends beyond the camera's picture or over the note.
 */
const findHidden = (page: Page): Promise<string[]> =>
  page.evaluate(async (languages) => {
    const found: string[] = [];
    const chooser = document.querySelector<HTMLSelectElement>('[data-testid=language]')!;
    for (const language of languages) {
      chooser.value = language;
      chooser.dispatchEvent(new Event('change', { bubbles: true }));
      do await new Promise(requestAnimationFrame);
      while (document.documentElement.lang !== language);
      const inside = (element: Element, frame: DOMRect): boolean => {
        const { top, bottom, left, right } = element.getBoundingClientRect();
        const isAboveOrBelow = top < frame.top - 1 || bottom > frame.bottom + 1;
        return !isAboveOrBelow && left >= frame.left - 1 && right <= frame.right + 1;
      };
      const view = new DOMRect(0, 0, innerWidth, innerHeight);
      for (const control of document.querySelectorAll('main :is(button, a), footer *, .finder')) {
        const isShown = control.getClientRects().length > 0 && !control.closest('dialog');
        if (!isShown || control instanceof HTMLOptionElement || inside(control, view)) continue;
        found.push(`${language}: ${control.textContent?.trim() ?? ''}`);
      }
      const { scrollHeight, clientHeight } = document.documentElement;
      if (scrollHeight > clientHeight) found.push(`${language}: ${scrollHeight - clientHeight} px`);
      const picture = document.querySelector('.finder__stage')?.getBoundingClientRect();
      const frame = document.querySelector('.finder__frame');
      if (picture && frame && !inside(frame, picture)) found.push(`${language}: frame`);
    }
    return found;
  }, LANGUAGES);

for (const share of STEPS) {
  test(`the hosted page needs no scrolling in small windows, in each language: ${share.join(', ')}`, async ({
    page,
    provider,
  }) => {
    test.slow();
    for (const name of share) {
      await test.step(name, async () => {
        await findState(name).reach(page, provider);
        await page.evaluate(() => document.fonts.ready);
        for (const size of SMALL) {
          await resize(page, size);
          const at = `${name} at ${size.width}x${size.height}`;
          expect.soft(await findHidden(page), at).toEqual([]);
        }
      });
    }
  });
}

test('on a desktop, the card keeps its position and height between steps', async ({
  page,
  provider,
}) => {
  test.slow();
  const boxes: object[] = [];
  for (const name of ['intro-l1', 'capture-face', 'retake', 'handoff', 'result-age-not-met']) {
    await findState(name).reach(page, provider);
    await page.evaluate(() => document.fonts.ready);
    for (const [index, size] of DESKTOP.entries()) {
      await resize(page, size);
      expect.soft(await findHidden(page), `${name} at ${size.width}x${size.height}`).toEqual([]);
      const box = await page.locator('.card').boundingBox();
      boxes[index] ??= box!;
      expect.soft(box, `${name} at ${size.width}x${size.height}`).toEqual(boxes[index]);
    }
  }
});

test('with forced colours, the chosen document stays distinguishable', async ({
  page,
  provider,
}) => {
  await findState('capture-front').reach(page, provider);
  await page.emulateMedia({ forcedColors: 'active' });
  const background = (label: string) =>
    page
      .locator(label)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const chosen = '.choice label:has(:checked)';
  await expect(page.locator(chosen)).toHaveCount(1);
  expect(await background(chosen)).not.toBe(await background('.choice label:not(:has(:checked))'));
});
