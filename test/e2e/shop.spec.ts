/** The demo shop: journeys of shoppers and developers, and the decisions of the shop's server. */
import { expect, type Page } from '@playwright/test';
import { cancel, closeResult, takePictures } from './support/hosted-page.ts';
import { startProvider } from './support/provider.ts';
import {
  buy,
  enterShop,
  notice,
  openCheck,
  openCode,
  setNextOutcome,
  isDone,
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
  await page.getByTestId('tasks-done').getByRole('link', { name: 'Be too young' }).click();
  await expect(page.getByTestId('unfold-failed')).toBeFocused();
  const tooYoung = await beginCheck(page, 'failed');
  await tooYoung.getByTestId('start').click();
  await takePictures(tooYoung, 'failed_age_not_met');
  await closeResult(tooYoung);
  await notice(page, 'failed');
  await page.getByTestId('checkout').click();
  await expect(page.getByTestId('refused')).toBeVisible();
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
  await expect(page.getByTestId('dashboard-redelivered')).toHaveText('See it in the console');
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
    await expect(page.getByTestId('dashboard-redelivered')).toHaveCount(0); // The receiver has to be fixed first.
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
