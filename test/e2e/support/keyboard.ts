/** Whoever works by keyboard is somewhere on the page, and stays there. */
import { expect, type Locator } from '@playwright/test';

/** Presses a control by keyboard, waits for what comes of it, and makes sure that the focus is not lost. */
export async function pressByKeyboard(
  control: Locator,
  outcome: () => Promise<unknown>,
  key = 'Enter',
): Promise<void> {
  const name = String(control);
  const page = control.page();
  await expect(control, name).toBeEnabled();
  await control.focus();
  await page.keyboard.press(key);
  await outcome();
  // A browser takes the focus from what cannot have it any more as it paints.
  const isLost = await page.evaluate(async () => {
    await new Promise((painted) => setTimeout(painted, 100));
    return document.activeElement === document.body;
  });
  expect(isLost, `${name} loses the focus`).toBe(false);
}
