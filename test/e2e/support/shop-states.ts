/** The states of the demo shop and its return page, for axe and for screenshots. */
import type { ScenarioName } from 'ofage-mock';
import { expect, type Page } from '@playwright/test';
import { closeResult, takePictures } from './hosted-page.ts';
import type { Provider } from './provider.ts';

export interface ShopState {
  readonly name: string;
  /** Brings the page to the state. The last states of the list move the service's clock. */
  reach(page: Page, provider: Pick<Provider, 'shop' | 'tenantId' | 'client'>): Promise<void>;
}

type ShopProvider = Parameters<ShopState['reach']>[1];

/** Opens the shop as a new customer without stored data. */
export async function enterShop(
  page: Page,
  { shop }: Pick<Provider, 'shop'>,
  query = 'mode=popup',
): Promise<void> {
  for (const other of page.context().pages()) if (other !== page) await other.close();
  if (page.url() !== 'about:blank') {
    // Storage can only be cleared from a page of the same origin.
    if (!page.url().startsWith(shop)) await page.goto(`${shop}/return/`);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
  }
  await page.goto(`${shop}/?${query}`);
  await expect(page.getByTestId('verify-age')).toBeEnabled();
  await expect(page.getByTestId('what-happened')).toBeVisible();
}

/** Opens the page "Code" as a new customer without stored options. */
export async function openCode(
  page: Page,
  provider: Pick<Provider, 'shop'>,
  query = 'mode=popup',
): Promise<void> {
  await enterShop(page, provider, query);
  await page.getByTestId('to-code').click();
  await expect(page.getByTestId('snippet')).not.toBeEmpty();
}

export const notice = (page: Page, kind: string) =>
  expect(page.getByTestId('notice')).toHaveAttribute('data-kind', kind, { timeout: 15_000 });

/** Clicks the button and returns the window that opens. */
export async function openCheck(page: Page, id = 'verify-age'): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByTestId(id).click()]);
  return popup;
}

/** Sets the outcome of the account's next verification. */
export async function setNextOutcome(provider: ShopProvider, outcome: ScenarioName): Promise<void> {
  await provider.client.queueNextOutcomes(provider.tenantId, [outcome]);
}

/** Creates a session of this customer through the shop's server and settles it without a browser. */
export async function settleBehindTheScenes(
  page: Page,
  provider: ShopProvider,
  outcome: ScenarioName,
): Promise<string> {
  const { sessionId } = await askShop<{ sessionId: string }>(page, 'POST', 'checkout', {
    returnUrl: `${provider.shop}/return/`,
  });
  await provider.client.settle(sessionId, outcome);
  return sessionId;
}

/** Sends a request to the shop's server as the customer of this page. */
export const askShop = <T>(page: Page, method: string, path: string, body?: object): Promise<T> =>
  page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(`/shop/${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${localStorage.getItem('kontor:token')}`,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return response.json() as never;
    },
    [method, path, body] as const,
  );

export const buy = (page: Page, index = 0): Promise<void> =>
  page.getByTestId('buy').nth(index).click();

async function letIn(page: Page, provider: ShopProvider): Promise<void> {
  await enterShop(page, provider);
  const sessionId = await settleBehindTheScenes(page, provider, 'verified');
  await askShop(page, 'POST', 'verification', { sessionId });
  await notice(page, 'open');
}

const returnWith = (outcome: ScenarioName, status: string, kind: string): ShopState => ({
  name: `return page, ${kind}`,
  async reach(page, provider) {
    await enterShop(page, provider);
    const sessionId = await settleBehindTheScenes(page, provider, outcome);
    await page.goto(
      `${provider.shop}/return/?sessionId=${sessionId}&status=${status}&timestamp=${Date.now()}`,
    );
    await expect(page.getByTestId('verdict')).toHaveAttribute('data-kind', kind);
  },
});

export const shopStates: readonly ShopState[] = [
  { name: 'shop', reach: (page, provider) => enterShop(page, provider) },
  {
    name: 'shop, task started',
    async reach(page, provider) {
      await enterShop(page, provider);
      await startTask(page, 'purchase');
      await expect(page.getByTestId('coach')).toBeVisible();
    },
  },
  {
    name: 'shop, check open',
    async reach(page, provider) {
      await enterShop(page, provider);
      await openCheck(page);
      await notice(page, 'waiting');
    },
  },
  {
    name: 'shop, access granted, with a basket',
    async reach(page, provider) {
      await letIn(page, provider);
      await buy(page, 0);
      await buy(page, 3);
      await expect(page.getByTestId('line')).toHaveCount(2);
    },
  },
  {
    name: 'shop, order confirmed',
    async reach(page, provider) {
      await letIn(page, provider);
      await buy(page, 1);
      await page.getByTestId('checkout').click();
      await expect(page.getByTestId('confirmation')).toBeVisible();
    },
  },
  {
    name: 'shop, order refused',
    async reach(page, provider) {
      await enterShop(page, provider);
      await buy(page, 2);
      await page.getByTestId('checkout').click();
      await expect(page.getByTestId('refused')).toBeVisible();
    },
  },
  {
    name: 'shop, failed',
    async reach(page, provider) {
      await enterShop(page, provider, 'mode=popup&skipIntro=true&onComplete=true');
      await setNextOutcome(provider, 'failed_age_not_met');
      const popup = await openCheck(page);
      await takePictures(popup, 'failed_age_not_met');
      await closeResult(popup);
      await notice(page, 'failed');
      await expect(page.getByTestId('callback')).toHaveCount(1);
    },
  },
  {
    name: 'shop, cancelled',
    async reach(page, provider) {
      const query = 'status=cancelled&sessionId=3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90&timestamp=1';
      await enterShop(page, provider, query);
      await notice(page, 'cancelled');
    },
  },
  {
    name: 'shop, expired',
    async reach(page, provider) {
      await enterShop(page, provider);
      await settleBehindTheScenes(page, provider, 'timeout');
      await notice(page, 'expired');
    },
  },
  {
    name: 'shop, window blocked',
    async reach(page, provider) {
      await enterShop(page, provider);
      await page.evaluate(() => {
        window.open = () => null;
      });
      await page.getByTestId('verify-age').click();
      await notice(page, 'blocked');
    },
  },
  {
    name: 'code, options rejected by the SDK',
    async reach(page, provider) {
      await openCode(
        page,
        provider,
        'mode=redirect&apiKey=sk_test_1&onComplete=true&cancelUrl=true',
      );
      await expect(page.getByTestId('refused-options')).toBeVisible();
      await expect(page.getByTestId('advice')).toBeVisible();
    },
  },
  {
    name: 'code, session created by the server',
    async reach(page, provider) {
      await openCode(page, provider, 'mode=server');
      await page.getByTestId('snippet-server').check();
      await expect(page.getByTestId('snippet')).toContainText('createSession');
    },
  },
  returnWith('verified', 'verified', 'open'),
  returnWith('failed_age_not_met', 'failed', 'failed'),
  returnWith('cancelled', 'cancelled', 'cancelled'),
  returnWith('timeout', 'verified', 'expired'),
  returnWith('never', 'verified', 'asking'),
  {
    name: 'return page, forged',
    async reach(page, { shop }) {
      await page.goto(
        `${shop}/return/?sessionId=3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90&status=verified&timestamp=1`,
      );
      await expect(page.getByTestId('verdict')).toHaveAttribute('data-kind', 'refused');
    },
  },
  {
    name: 'return page, no parameters',
    async reach(page, { shop }) {
      await page.goto(`${shop}/return/`);
      await expect(page.getByTestId('verdict')).toHaveAttribute('data-kind', 'nothing');
    },
  },
  {
    name: 'shop, webhooks paused',
    async reach(page, provider) {
      await enterShop(page, provider);
      await startTask(page, 'paused');
      await isDone(page, 'paused');
      await expect(page.getByTestId('news-paused')).toContainText('paused');
    },
  },
  {
    name: 'shop, webhooks delivered again',
    async reach(page, provider) {
      await enterShop(page, provider);
      await startTask(page, 'paused');
      await isDone(page, 'paused');
      await startTask(page, 'redelivered');
      await isDone(page, 'redelivered');
    },
  },
];

/** Presses the button of a task, which may be folded. */
export async function startTask(page: Page, id: string): Promise<void> {
  const button = page.getByTestId(`start-${id}`);
  const unfold = page.getByTestId(`unfold-${id}`);
  await unfold.waitFor({ state: 'attached' });
  // On a phone, the list of tasks is closed.
  if (!(await unfold.isVisible())) await page.locator('[data-testid=try-this] > summary').click();
  // The shop itself unfolds the next task once it knows that one is done, perhaps at the same moment.
  await expect(async () => {
    if (!(await button.isVisible())) await unfold.click();
    await button.click({ timeout: 1000 });
  }).toPass();
}

export const isDone = (page: Page, id: string) =>
  expect(page.getByTestId(`task-${id}`)).toHaveAttribute('data-done', 'true', { timeout: 15_000 });
