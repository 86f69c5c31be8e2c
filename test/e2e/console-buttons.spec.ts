/**
 * On the first day, the doctor reports only what a developer did. Each test presses every button of a page
 * in a fresh mock, and lists the findings that a button causes on purpose.
 */
import { expect, type Locator, type Page } from '@playwright/test';
import type { DoctorCode } from 'ofage-mock';
import { startReceiver } from '../support/receiver.ts';
import type { Provider } from './support/provider.ts';
import { test } from './support/test.ts';

interface ConsolePage {
  readonly name: string;
  /** Opens the page, and returns its address. */
  readonly open: (page: Page, provider: Provider) => Promise<string>;
  /** The menus to open. Then only the bar's buttons are pressed, which are the same on every page. */
  readonly menus?: readonly string[];
  /** The findings that buttons of the page cause on purpose, with the reason. */
  readonly causes?: Partial<Record<DoctorCode, string>>;
}

const goTo =
  (path: string): ConsolePage['open'] =>
  async (page, { shop }) => {
    await page.goto(`${shop}/${path}`);
    return page.url();
  };

const ADDS_ENDPOINT = {
  webhook_not_https:
    'the test adds an endpoint on this computer, which production would not accept',
} as const;

const PAGES: readonly ConsolePage[] = [
  { name: 'the bar', open: goTo('console/#overview'), menus: ['clock-toggle', 'state'] },
  { name: 'overview', open: goTo('console/#overview') },
  {
    name: 'the overview of a new account',
    async open(page, provider) {
      await goTo('console/#overview')(page, provider);
      await page.getByTestId('new-account').click();
      await page.getByTestId('account-name').fill('Wine');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByTestId('create-pair').click();
      await page.getByRole('link', { name: 'Overview' }).click();
      await expect(page.getByTestId('new-session')).toBeVisible();
      return page.url();
    },
    causes: { webhook_missing: 'the account has a session, and no endpoint' },
  },
  { name: 'sessions', open: goTo('console/#sessions') },
  {
    name: 'a session of the console',
    async open(page, provider) {
      await goTo('console/#overview')(page, provider);
      await page.getByTestId('new-session').click();
      await page.getByRole('button', { name: 'Create session' }).click();
      await page.getByTestId('show-session').click();
      return page.url();
    },
  },
  { name: 'timeline', open: goTo('console/#timeline') },
  { name: 'webhooks', open: goTo('console/#webhooks'), causes: ADDS_ENDPOINT },
  {
    name: "the demo shop's endpoint",
    async open(page, provider) {
      const [endpoint] = await provider.client.endpoints(provider.tenantId);
      return goTo(`console/#webhooks/${endpoint?.id}`)(page, provider);
    },
    causes: { webhook_missing: 'the test deletes the endpoint', ...ADDS_ENDPOINT },
  },
  { name: 'keys', open: goTo('console/#keys') },
  { name: 'settings', open: goTo('console/#settings') },
  { name: 'simulate', open: goTo('console/#simulate'), causes: ADDS_ENDPOINT },
  { name: 'doctor', open: goTo('console/#doctor') },
  { name: 'the webhook lab', open: goTo('labs/#webhook') },
  { name: 'the popup lab', open: goTo('labs/#popup') },
  { name: 'the attack lab', open: goTo('labs/#attack') },
];

/** Longer than the life of a session, so that the doctor expects no further call about it. */
const LATER_MS = 660_000;

for (const { name, open, menus = [], causes = {} } of PAGES) {
  test(`no button causes a finding, except on purpose: ${name}`, async ({ page, provider }) => {
    test.slow();
    await provider.client.reset();
    const receiver = await startReceiver();
    // Without a session, the doctor would only say that it has seen nothing.
    await provider.client.trigger({ name: 'verified' });
    const seen = new Set<DoctorCode>();
    const look = async (): Promise<void> => {
      const { findings } = await provider.client.doctor();
      for (const { code } of findings) seen.add(code);
    };
    const address = await open(page, provider);
    await pressAll(page, { address, menus, url: receiver.url, afterPress: look });
    await provider.client.clock.advance(LATER_MS);
    await look();
    expect([...seen].filter((code) => code !== 'all_well')).toEqual(Object.keys(causes));
    await receiver.close();
  });
}

/** A reset deletes the evidence, and a new account has a test of its own. */
const LEFT_OUT = ['reset', 'new-account'];

interface Pressing {
  readonly address: string;
  readonly menus: readonly string[];
  /** The address of a receiver, for new endpoints. */
  readonly url: string;
  afterPress(): Promise<void>;
}

/** Presses every button once, also those that appear meanwhile. */
async function pressAll(page: Page, { address, menus, url, afterPress }: Pressing): Promise<void> {
  const pressed = new Set<string>([...LEFT_OUT, ...menus]);
  const dialog = page.locator('dialog[open]');
  const ground = page.locator(menus.length > 0 ? '.site-bar' : 'main');
  let pressedBefore = -1;
  while (pressedBefore !== pressed.size) {
    pressedBefore = pressed.size;
    await page.goto('about:blank');
    await page.goto(address);
    await expect(page.locator('main h1')).toBeVisible();
    for (const menu of menus) await page.getByTestId(menu).click();
    await expect(ground.getByRole('button').first()).toBeVisible();
    for (;;) {
      const isInDialog = (await dialog.count()) > 0;
      const scope = isInDialog ? dialog.last() : ground;
      await fillIn(scope, url);
      const next = await findNext(scope, pressed);
      if (next) {
        pressed.add(next.name);
        await press(next.button);
        await afterPress();
      } else if (isInDialog) {
        await page.keyboard.press('Escape');
        await expect(dialog).toHaveCount(0);
      } else {
        break;
      }
    }
  }
  expect(pressed.size).toBeGreaterThan(LEFT_OUT.length + menus.length);
}

/** Returns the next button that was not pressed yet, with its name. */
async function findNext(
  scope: Locator,
  pressed: ReadonlySet<string>,
): Promise<{ name: string; button: Locator } | null> {
  const buttons = scope.locator('button:visible:not([disabled]):not([aria-disabled="true"])');
  const names = await buttons.evaluateAll((all) =>
    all.map((button) => {
      const id = button.dataset['testid'] ?? button.ariaLabel ?? button.textContent ?? '';
      const title = button.closest('dialog')?.querySelector('h2')?.textContent;
      return title ? `${title}: ${id}` : id;
    }),
  );
  const left = names.flatMap((name, at) => (pressed.has(name) ? [] : [{ name, at }]));
  const next = left.find(({ name }) => !LAST.test(name)) ?? left[0];
  return next ? { name: next.name, button: buttons.nth(next.at) } : null;
}

/** Buttons that remove what others need, or that close a dialog. They are pressed last. */
const LAST = /: (Close|Cancel)$|^[^:]*(remove|delete|revoke|clear|settle)[^:]*$/i;

/** Presses a button, and waits until it has finished. */
async function press(button: Locator): Promise<void> {
  const handle = await button.elementHandle();
  await button.click();
  await expect
    .poll(() => handle?.evaluate((one) => one.isConnected && one.ariaDisabled === 'true'), {
      timeout: 30_000,
    })
    .toBe(false);
}

/** Fills in the empty fields that a form requires. */
async function fillIn(scope: Locator, url: string): Promise<void> {
  const values = { url, memberEmail: 'anna@shop.example' };
  for (const [name, value] of Object.entries(values)) {
    for (const field of await scope.locator(`input[name="${name}"]:visible`).all())
      if ((await field.inputValue()) === '') await field.fill(value);
  }
}
