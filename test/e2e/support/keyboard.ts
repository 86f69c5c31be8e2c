/** Checks that keyboard users keep their focus. */
import { expect, type Locator } from '@playwright/test';

/** Presses a control by keyboard, waits for the outcome and checks that the focus is not lost. */
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
  // When a focused control stops being focusable, the browser removes its focus only at the next paint.
  const isLost = await page.evaluate(async () => {
    await new Promise((painted) => setTimeout(painted, 100));
    return document.activeElement === document.body;
  });
  expect(isLost, `${name} loses the focus`).toBe(false);
}
