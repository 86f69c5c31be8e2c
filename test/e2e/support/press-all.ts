/** Presses every button of a page by keyboard, and checks after each press that the focus is not lost. */
import { type ElementHandle, expect, type Locator, type Page } from '@playwright/test';
import { isFocusLost } from './keyboard.ts';

export interface Pressing {
  /** Opens the page again after its buttons have changed it. */
  reopen(): Promise<void>;
  /** The names of the buttons that were pressed already. Those that this run presses are added. */
  readonly pressed: Set<string>;
  /** The address of a receiver, for new endpoints. */
  readonly url: string;
  afterPress?(): Promise<void>;
}

/** Presses every button in `ground` of the open page once, also those that appear meanwhile. */
export async function pressAll(ground: Locator, pressing: Pressing): Promise<void> {
  const { reopen, pressed } = pressing;
  const page = ground.page();
  let isLeft = true;
  while (isLeft) {
    await page.evaluate(() => Object.assign(window, { isPressed: true }));
    const pressedBefore = pressed.size;
    const shown = await findLeft(ground, pressed);
    // A press may open another page, also a moment later. Then the rest is pressed in the next round.
    await pressOnPage(ground, pressing).catch((error: unknown) => {
      if (!String(error).includes('Execution context was destroyed')) throw error;
    });
    isLeft = pressed.size > pressedBefore && shown.some(({ name }) => !pressed.has(name));
    if (isLeft) await reopen();
  }
}

async function pressOnPage(ground: Locator, pressing: Pressing): Promise<void> {
  const { pressed, url, afterPress } = pressing;
  const page = ground.page();
  const dialog = page.locator('dialog[open]');
  while (!(await hasLeft(page))) {
    const openDialogs = await dialog.count();
    const isInDialog = openDialogs > 0;
    const scope = isInDialog ? dialog.last() : ground;
    await fillIn(scope, url);
    const left = await findLeft(scope, pressed);
    const next = left.find(({ name }) => !LAST.test(name)) ?? left[0];
    if (next) {
      // A page that is updating may have removed it meanwhile.
      if (!(await takeFocus(next))) continue;
      pressed.add(next.name);
      await press(page, next);
      await afterPress?.();
    } else if (isInDialog) {
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(openDialogs - 1);
    } else {
      return;
    }
  }
}

interface NamedButton {
  readonly name: string;
  readonly button: ElementHandle<HTMLElement>;
}

/** The ids and times in the names of buttons, which differ from one opening of a page to the next. */
const VARIABLE = /\b[0-9a-f]{8}\b|\d\d:\d\d:\d\d/g;

/** Returns the buttons that were not pressed yet, with their names. */
async function findLeft(scope: Locator, pressed: ReadonlySet<string>): Promise<NamedButton[]> {
  const found = scope.locator('button:visible:not([disabled]):not([aria-disabled="true"])');
  const left: NamedButton[] = [];
  for (const handle of await found.elementHandles()) {
    const button = handle as ElementHandle<HTMLElement>;
    const text = await button.evaluate((one) => {
      const id = one.dataset['testid'] ?? one.ariaLabel ?? one.textContent ?? '';
      const title = one.closest('dialog')?.querySelector('h2')?.textContent;
      return title ? `${title}: ${id}` : id;
    });
    const name = text.replace(VARIABLE, '…');
    if (!pressed.has(name)) left.push({ name, button });
  }
  return left;
}

const takeFocus = ({ button }: NamedButton): Promise<boolean> =>
  button.evaluate((one) => {
    one.focus();
    return document.activeElement === one;
  });

/** Buttons that remove what others need, or that close a dialog. They are pressed last. */
const LAST = /: (Close|Cancel)$|^[^:]*(remove|delete|revoke|clear|settle)[^:]*$/i;

/** Presses the focused button, waits until it has finished, and checks that the focus is not lost. */
async function press(page: Page, { name, button }: NamedButton): Promise<void> {
  await page.keyboard.press('Enter');
  const isBusy = (): Promise<boolean> =>
    button.evaluate((one) => one.isConnected && 'busy' in one.dataset);
  await expect.poll(isBusy, { timeout: 30_000 }).toBe(false);
  const isLost = await isFocusLost(page);
  if (!(await hasLeft(page))) expect.soft(isLost, `"${name}" loses the focus`).toBe(false);
}

/** Tells whether another page has replaced the one whose buttons are pressed. */
const hasLeft = async (page: Page): Promise<boolean> => {
  await page.waitForLoadState();
  return page.evaluate(() => !('isPressed' in window));
};

/** Fills in the empty fields that a form requires. */
async function fillIn(scope: Locator, url: string): Promise<void> {
  const values = { url, memberEmail: 'anna@shop.example' };
  for (const [name, value] of Object.entries(values)) {
    for (const field of await scope.locator(`input[name="${name}"]:visible`).all())
      if ((await field.inputValue()) === '') await field.fill(value);
  }
}
