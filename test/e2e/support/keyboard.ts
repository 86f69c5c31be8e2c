/** Checks that keyboard users keep their focus. */
import { expect, type Locator, type Page } from '@playwright/test';

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
  expect(await isFocusLost(page), `${name} loses the focus`).toBe(false);
}

/** Tells whether no element of the page has the focus, so that Tab would start again at its top. */
export function isFocusLost(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    // When a focused control stops being focusable, the browser removes its focus only at the next paint.
    await new Promise((painted) =>
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(painted))),
    );
    return document.activeElement === document.body;
  });
}
