/**
 * On the first day, the doctor reports only what a developer did. Each test presses every button of a page
 * in a fresh mock, by keyboard, and lists the findings that a button causes on purpose. No button loses the
 * focus.
 */
import { expect, type Page } from '@playwright/test';
import type { DoctorCode } from 'ofage-mock';
import { startReceiver } from '../support/receiver.ts';
import { pressAll } from './support/press-all.ts';
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
  { name: 'simulate', open: goTo('console/#simulate') },
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
    const receiver = await startReceiver();
    // Without a session, the doctor would only say that it has seen nothing.
    await provider.client.trigger({ name: 'verified' });
    const seen = new Set<DoctorCode>();
    const look = async (): Promise<void> => {
      const { findings } = await provider.client.doctor();
      for (const { code } of findings) seen.add(code);
    };
    const address = await open(page, provider);
    await pressEveryButton(page, { address, menus, url: receiver.url, afterPress: look });
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

async function pressEveryButton(
  page: Page,
  { address, menus, url, afterPress }: Pressing,
): Promise<void> {
  const pressed = new Set<string>([...LEFT_OUT, ...menus]);
  const ground = page.locator(menus.length > 0 ? '.site-bar' : 'main');
  const reopen = async (): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(address);
    await expect(page.locator('main h1')).toBeVisible();
    for (const menu of menus) await page.getByTestId(menu).click();
    await expect(ground.getByRole('button').first()).toBeVisible();
    // The attack lab first prepares its shops. Until then, no button can be pressed.
    await expect(ground.locator('button[data-busy]')).toHaveCount(0);
  };
  await reopen();
  await pressAll(ground, { pressed, url, afterPress, reopen });
  expect(pressed.size).toBeGreaterThan(LEFT_OUT.length + menus.length);
}
