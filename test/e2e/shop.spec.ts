/** The demo shop: journeys of shoppers and developers, by keyboard too, and what is in view. */
import { type Locator, type Page, expect } from '@playwright/test';
import { TASK_IDS } from '../../playground/demo/tasks.ts';
import { cancel, closeResult, takePictures } from './support/hosted-page.ts';
import { pressByKeyboard } from './support/keyboard.ts';
import { startProvider } from './support/provider.ts';
import {
  buy,
  enterShop,
  isDone,
  notice,
  openCheck,
  openCode,
  setNextOutcome,
  startTask,
} from './support/shop-states.ts';
import { test } from './support/test.ts';

/** Starts a task and follows the coach until the window opens. */
async function beginCheck(page: Page, id: string): Promise<Page> {
  await startTask(page, id);
  await expect(page.getByTestId('coach')).toBeVisible();
  await expect(page.getByTestId('verify-age')).toBeFocused();
  return openCheck(page);
}

async function orderAsAdult(page: Page): Promise<void> {
  const check = await beginCheck(page, 'purchase');
  await check.getByTestId('start').click();
  await takePictures(check, 'verified');
  await page.getByTestId('to-basket').click();
  await page.getByTestId('checkout').click();
  await expect(page.getByTestId('confirmation')).toBeVisible();
  await isDone(page, 'purchase');
}

/** Fails a check, cancels one and lets one expire. */
async function getNoAccess(page: Page): Promise<void> {
  await page.getByTestId('after-order').getByRole('link', { name: 'Be below the age' }).click();
  await expect(page.getByTestId('unfold-failed')).toBeFocused();
  const tooYoung = await beginCheck(page, 'failed');
  await tooYoung.getByTestId('start').click();
  await takePictures(tooYoung, 'failed_age_not_met');
  await closeResult(tooYoung);
  await notice(page, 'failed');
  await page.getByTestId('checkout').click();
  await expect(page.getByTestId('refused')).toBeInViewport({ ratio: 1 });
  await expect(page.locator('.button--primary')).toHaveText('Verify my age');
  await isDone(page, 'failed');

  await cancel(await beginCheck(page, 'cancelled'));
  await notice(page, 'cancelled');
  await isDone(page, 'cancelled');

  const late = await beginCheck(page, 'expired');
  await expect(late.getByTestId('notice')).toHaveAttribute('data-kind', 'expired');
  await notice(page, 'expired');
  await isDone(page, 'expired');
  // The next step works while a window is open: that window closes, and a new one opens.
  const [fresh] = await Promise.all([openCheck(page), late.waitForEvent('close')]);
  await cancel(fresh);
  await notice(page, 'cancelled');
}

async function pauseAndRedeliver(page: Page): Promise<void> {
  await startTask(page, 'paused');
  await isDone(page, 'paused');
  await startTask(page, 'redelivered');
  await isDone(page, 'redelivered');
  await expect(page.getByTestId('console-redelivered')).toHaveText('See it in the console');
}

test('the six tasks can be completed in the shop', async ({ page }) => {
  test.slow();
  // A separate provider, because the test moves the clock.
  const provider = await startProvider();
  try {
    await enterShop(page, provider);
    await orderAsAdult(page);
    await getNoAccess(page);
    await pauseAndRedeliver(page);

    // After another pause, the task to redeliver is open again.
    await startTask(page, 'paused');
    await expect(page.getByTestId('start-redelivered')).toBeVisible();
    await expect(page.getByTestId('console-redelivered')).toHaveCount(0); // The receiver has to be fixed first.
    await startTask(page, 'redelivered');
    await isDone(page, 'redelivered');
    await expect(page.getByTestId('progress')).toHaveText('6 of 6');
    await page.reload();
    await expect(page.getByTestId('progress')).toHaveText('6 of 6');
    const [endpoint] = await provider.client.endpoints(provider.tenantId);
    expect(endpoint?.health).toMatchObject({ state: 'healthy', undelivered: 0 });
    await page.getByTestId('start-over').click();
    await expect(page.getByTestId('progress')).toHaveText('0 of 6');
  } finally {
    await provider.stop();
  }
});

test('static playground: the tasks to order and to redeliver can be completed', async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  await expect(page.getByTestId('start-purchase')).toBeEnabled();
  await orderAsAdult(page);
  await pauseAndRedeliver(page);
  await expect(page.getByTestId('progress')).toHaveText('3 of 6');
});

test('the hosted page uses the language option, and the language of the call first', async ({
  page,
  provider,
}) => {
  await enterShop(page, provider, 'mode=popup&language=de');
  await expect((await openCheck(page)).locator('html')).toHaveAttribute('lang', 'de');
  await enterShop(page, provider, 'mode=popup&language=de&callLanguage=it');
  await expect((await openCheck(page)).locator('html')).toHaveAttribute('lang', 'it');
});

test('code: the options change the snippet and the shop, and errors of the SDK are shown', async ({
  page,
  provider,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openCode(page, provider);
  const snippet = page.getByTestId('snippet');
  const refused = page.getByTestId('refused-options');
  await expect(refused).toHaveCount(0);
  await page.getByTestId('snippet-react').check();
  await page.getByTestId('mode-tab').check();
  await expect(snippet).toContainText("newTabTarget: 'tab'");
  await page.getByTestId('skip-intro').check();
  await expect(snippet).toContainText('skipIntro: true');
  await page.getByRole('button', { name: 'Copy the code: React' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    await snippet.textContent(),
  );

  await page.getByTestId('api-key').fill('sk_live_oops');
  await expect(refused).toHaveAttribute('data-code', 'secret_key_blocked');
  await page.getByTestId('open-shop').click();
  await page.getByTestId('verify-age').click();
  await notice(page, 'error');
  await expect(page.getByTestId('notice')).toContainText('The check is not available');
  await expect(page.getByTestId('hint')).toContainText('Secret key in browser');
  await page.getByTestId('to-code').click();
  await page.getByTestId('reset-options').click();
  await expect(refused).toHaveCount(0);
  await page.getByTestId('return-url').fill('http://shop.example/');
  await expect(refused).toContainText('HTTPS required in production');
  await page.getByTestId('reset-options').click();
  await page.getByTestId('sets-policy').check();
  await expect(refused).toContainText('policy is set in the dashboard');
  await page.reload();
  await expect(page.getByTestId('sets-policy')).toBeChecked();
});

test('callbacks are shown, and a session without externalUserId gives no access', async ({
  page,
  provider,
}) => {
  const query = 'mode=popup&skipIntro=true&onComplete=true&sendsCustomer=false';
  await enterShop(page, provider, query);
  await setNextOutcome(provider, 'verified');
  await takePictures(await openCheck(page), 'verified');
  await expect(page.getByTestId('callback')).toContainText('onComplete({"');
  await expect(page.getByTestId('decision')).toHaveAttribute('data-problem', 'wrong_customer');
  await notice(page, 'failed');
});

test('after a blocked window the customer continues in the same tab and keeps the basket', async ({
  page,
  provider,
}) => {
  await enterShop(page, provider, 'mode=popup&skipIntro=true&autoReturn=true');
  await buy(page, 4);
  await setNextOutcome(provider, 'verified');
  await page.evaluate(() => {
    window.open = () => null;
  });
  await page.getByTestId('verify-age').click();
  await notice(page, 'blocked');
  await page.getByTestId('verify-here').click();
  await takePictures(page, 'verified');
  await page.waitForURL('**/return/**');
  // After a reload, the shop's server still has the result. A forged status has no effect.
  const decision = page.getByTestId('decision');
  await expect(decision).toHaveAttribute('data-access', 'true');
  await page.reload();
  await expect(decision).toHaveAttribute('data-access', 'true');
  await page.getByTestId('forge').click();
  await expect(page.getByTestId('param-status')).toHaveText('failed');
  await expect(decision).toHaveAttribute('data-access', 'true');
  await page.getByTestId('back-to-shop').click();
  await page.getByTestId('checkout').click();
  await expect(page.getByTestId('confirmation')).toContainText('Kaikante');
});

test('an error of the shop’s server stays visible', async ({ page, provider }) => {
  await enterShop(page, provider, 'mode=server&returnUrl=https://elsewhere.example/return');
  const hasLooked = () => page.waitForResponse(/\/shop\/access$/);
  await page.getByTestId('verify-age').click();
  const notice = page.getByTestId('notice');
  await expect(notice).toContainText('not allowed');
  await page.route('**/shop/orders', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: {} })
      : route.continue(),
  );
  await buy(page);
  await page.getByTestId('checkout').click();
  const orderError = page.getByTestId('order-error');
  await expect(orderError).toHaveText("The shop's server answered 500");
  await hasLooked();
  await hasLooked();
  await expect(notice).toContainText('not allowed');
  await expect(orderError).toBeVisible();
  await page.unroute('**/shop/orders');
  await page.getByTestId('checkout').click();
  await expect(page.getByTestId('refused')).toBeVisible();
  await expect(orderError).toHaveCount(0);
});

test('the shop recovers after its first requests fail', async ({ page, provider }) => {
  await page.route('**/shop/**', (route) => route.abort());
  await page.goto(`${provider.shop}/`);
  await expect(page.getByTestId('notice')).toContainText('cannot be reached');
  await page.unroute('**/shop/**');
  await expect(page.getByTestId('verify-age')).toBeEnabled();
  await expect(page.getByTestId('start-purchase')).toBeEnabled();
  await expect(page.getByTestId('clock')).toBeVisible();
});

test('the shop, the hosted page and the account show the same name', async ({ page, provider }) => {
  await enterShop(page, provider);
  const name = await page.locator('.masthead__name').innerText();
  const tenants = await provider.client.tenants();
  expect(tenants.map((tenant) => tenant.name)).toEqual([name]);
  await expect((await openCheck(page)).locator('main')).toContainText(name);
});

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

test('the sum of the basket is in view until the basket is', async ({ page, provider }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enterShop(page, provider);
  await expect(page.getByTestId('unfold-purchase')).toBeHidden();
  await buy(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  const bar = page.getByTestId('basket-bar');
  await expect(bar).toBeInViewport({ ratio: 1 });
  await expect(bar).toContainText('1 bottle · €14.90');
  await bar.getByRole('link').click();
  await expect(page.locator('#basket-title')).toBeInViewport();
  await expect(bar).toBeHidden();
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

/** Moves the focus to an element with Tab, like a user without a pointer. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const focused = await page.evaluate(
      () => (document.activeElement as HTMLElement | null)?.dataset['testid'],
    );
    if (focused === id) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach "${id}"`);
}

test('a customer can verify and order with the keyboard only', async ({ page, provider }) => {
  await enterShop(page, provider, 'mode=popup&autoReturn=true');
  await setNextOutcome(provider, 'verified');
  await tabTo(page, 'buy');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('basket')).toHaveAttribute('data-count', '1');
  await expect(page.getByTestId('added')).toHaveText('Deichgraf: 1 in your basket.');
  await page.getByRole('link', { name: /^1 in basket ?: Deichgraf$/ }).press('Enter');
  await expect(page.locator('#basket-title')).toBeFocused();
  await expect(page.locator('#basket-title')).toBeInViewport();
  await tabTo(page, 'checkout');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('refusal')).toContainText('age of this customer is not confirmed');
  await tabTo(page, 'verify-from-basket');
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
  await expect(popup.getByTestId('start')).toBeVisible();
  await tabTo(popup, 'start');
  await popup.keyboard.press('Enter');
  await popup.locator('main[data-view=capture][data-step=face]').waitFor();
  await tabTo(popup, 'capture');
  await Promise.all([popup.waitForEvent('close'), popup.keyboard.press('Enter').catch(() => {})]);
  await notice(page, 'open');
  await tabTo(page, 'checkout');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Thank you for your order' })).toBeFocused();
  await expect(page.getByTestId('order-number')).toHaveText(/^K-[0-9A-F]{6}$/);
  await expect(page.getByTestId('basket')).toHaveAttribute('data-count', '0');
  await page.getByTestId('to-shelf').press('Enter');
  await expect(page.locator('#shelf-title')).toBeInViewport();
});

test('the actions in the shop do not lose the keyboard focus', async ({ page }) => {
  test.slow();
  // A separate provider, because the test moves the clock.
  const provider = await startProvider();
  try {
    await enterShop(page, provider, 'mode=popup&skipIntro=true&autoReturn=true');
    const at = (id: string) => page.getByTestId(id);
    const count = (n: number) => expect(at('basket')).toHaveAttribute('data-count', String(n));
    await at('clock-toggle').press('Enter');
    const freeze = at('clock-freeze');
    await pressByKeyboard(freeze, () => expect(freeze).toHaveText('Resume'));
    const before = (await at('clock').textContent()) ?? '';
    const advance = at('clock-advance-60000');
    await pressByKeyboard(advance, () => expect(at('clock')).not.toHaveText(before));
    await pressByKeyboard(freeze, () => expect(freeze).toHaveText('Freeze'));
    await freeze.press('Escape');

    for (let n = 1; n <= 11; n += 1) await buy(page);
    await pressByKeyboard(at('buy').first(), () => count(12));
    const less = page.getByRole('button', { name: /^Remove one/ });
    await pressByKeyboard(less, () => count(11));
    await pressByKeyboard(page.getByRole('button', { name: /^Add one/ }), () => count(12));
    for (let n = 11; n >= 1; n -= 1) await less.click();
    await pressByKeyboard(less, () => count(0));
    await expect(page.locator('#basket-title')).toBeFocused();

    await pressByKeyboard(at('buy').first(), () => count(1));
    await pressByKeyboard(at('checkout'), () => expect(at('refused')).toBeVisible());
    await expect(at('checkout')).toBeFocused();

    await setNextOutcome(provider, 'verified');
    const popup = page.waitForEvent('popup');
    await pressByKeyboard(at('verify-age'), async () => {
      await takePictures(await popup, 'verified');
      await notice(page, 'open');
    });
    await expect(at('to-basket')).toBeFocused();
    await pressByKeyboard(at('checkout'), () => expect(at('confirmation')).toBeVisible());
    const goOn = page.getByRole('button', { name: 'Continue shopping' });
    await pressByKeyboard(goOn, () => expect(at('confirmation')).toHaveCount(0));
    await expect(page.locator('#basket-title')).toBeFocused();
    await pressByKeyboard(at('forget-access'), () => notice(page, 'closed'));
    await expect(at('verify-age')).toBeFocused();

    await isDone(page, 'purchase');
    await pressByKeyboard(at('start-over'), () => expect(at('start-over')).toHaveCount(0));
    await pressByKeyboard(at('unfold-paused'), () => expect(at('start-paused')).toBeVisible());
    await pressByKeyboard(at('start-paused'), () => isDone(page, 'paused'));
    await expect(at('console-paused')).toBeVisible();
    await expect(at('console-redelivered')).toHaveCount(0);
    await pressByKeyboard(at('accept-webhooks'), () =>
      expect(at('accept-webhooks')).toHaveCount(0),
    );
    await expect(at('console-redelivered')).toHaveText('Do it in the console');
    await at('console-redelivered').press('Enter');
    await expect(at('test-and-resume')).toBeVisible();
  } finally {
    await provider.stop();
  }
});
