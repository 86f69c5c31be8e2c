/** Checks that the important parts of the shop are visible without scrolling. */
import { expect, type Locator, type Page } from '@playwright/test';
import { takePictures } from './support/hosted-page.ts';
import { TASK_IDS } from '../../playground/shop/demo/tasks.ts';
import { enterShop, notice, openCheck, setNextOutcome } from './support/shop-states.ts';
import { test } from './support/test.ts';

/** Returns the number of pixels of the element that are below the visible part of the page. */
async function pixelsBelow(page: Page, element: Locator): Promise<number> {
  const box = await element.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  expect(box).not.toBeNull();
  return Math.max(0, Math.ceil((box?.y ?? 0) + (box?.height ?? 0) - height));
}

test("the tasks and the server's decision are in view on a small desktop", async ({
  page,
  provider,
}) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  await enterShop(page, provider, 'mode=popup&skipIntro=true');
  const seen = ['try-this', 'hint', 'access'].map((id) => page.getByTestId(id));
  for (const element of seen) expect(await pixelsBelow(page, element)).toBe(0);

  await setNextOutcome(provider, 'verified');
  await takePictures(await openCheck(page), 'verified');
  await notice(page, 'open');
  await expect(page.getByTestId('decision')).toBeAttached();
  await page.evaluate(() => window.scrollTo(0, 0));
  for (const element of seen) expect(await pixelsBelow(page, element)).toBe(0);
  await expect(page.getByTestId('access')).toContainText(
    /Access granted · validateSession · \d\d:\d\d:\d\d/,
  );
});

test('only the next task is unfolded, until the visitor unfolds another', async ({
  page,
  provider,
}) => {
  await enterShop(page, provider);
  const unfolded = async (): Promise<string[]> => {
    const open = await Promise.all(
      TASK_IDS.map(async (id) => ((await page.getByTestId(`start-${id}`).isVisible()) ? [id] : [])),
    );
    return open.flat();
  };
  expect(await unfolded()).toEqual(['purchase']);
  await page.getByTestId('unfold-expired').click();
  expect(await unfolded()).toEqual(['expired']);
  await page.getByTestId('unfold-expired').click();
  expect(await unfolded()).toEqual([]);
});
