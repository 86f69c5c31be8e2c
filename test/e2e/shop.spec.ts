/** The demo shop: what shoppers and developers do there, and what the shop's server makes of it. */
import { expect, type Page } from '@playwright/test';
import { LANGUAGES } from '../../playground/verify/language.ts';
import { findBarriers, findOverflow } from './support/accessibility.ts';
import { cancel, takePictures } from './support/hosted-page.ts';
import { pressByKeyboard } from './support/keyboard.ts';
import { startProvider, type Provider } from './support/provider.ts';
import {
  buy,
  enterShop,
  notice,
  openCheck,
  setNextOutcome,
  shopStates,
} from './support/shop-states.ts';
import { test } from './support/test.ts';

// A few states a test: each takes some seconds, and they run beside each other.
const SHARE = 6;
for (let from = 0; from < shopStates.length; from += SHARE) {
  const share = shopStates.slice(from, from + SHARE);
  const names = `${share[0]?.name} to ${share.at(-1)?.name}`;
  test(`every state is accessible and fits: ${names}`, async ({ page }) => {
    test.slow();
    // Its own, because the last states move the clock, which moves it for everybody.
    const provider = await startProvider();
    try {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      for (const { name, reach } of share) {
        await test.step(name, async () => {
          await reach(page, provider);
          expect.soft(await findOverflow(page), `${name} fits`).toBeLessThanOrEqual(0);
          expect.soft(await findBarriers(page), `${name} is accessible`).toEqual([]);
        });
      }
    } finally {
      await provider.stop();
    }
  });
}

/** How each scenario of the catalogue looks from the shop; those of journey.spec.ts are not repeated. */
const ENDINGS = [
  { scenario: 'verified_after_id', kind: 'open', validate: 'used' },
  { scenario: 'failed_image_quality', kind: 'failed', validate: 'used' },
  { scenario: 'failed_document_rejected', kind: 'failed', validate: 'used' },
  { scenario: 'failed_face_mismatch', kind: 'failed', validate: 'used' },
  { scenario: 'timeout', kind: 'expired', validate: 'expired' },
  { scenario: 'never', kind: 'open-ended', validate: 'pending' },
] as const;
const IN_JOURNEY = ['verified', 'failed_age_not_met', 'cancelled'];

test('the table has every scenario of the catalogue', async ({ provider }) => {
  const scenarios = await provider.client.scenarios();
  const tested = [...ENDINGS.map(({ scenario }) => scenario), ...IN_JOURNEY];
  expect(scenarios.map(({ name }) => name).sort()).toEqual(tested.sort());
});

async function validate(provider: Provider, sessionId: string): Promise<string> {
  const response = await fetch(`${provider.apiBase}/sessions/validate`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${provider.secretKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ sessionId }),
  });
  const { status, message } = (await response.json()) as Record<string, unknown>;
  if (response.ok) return String(status);
  return /expired/.test(String(message)) ? 'expired' : /used/.test(String(message)) ? 'used' : '';
}

for (const mode of ['popup', 'tab', 'redirect', 'server']) {
  test(`${mode}: the other scenarios, at the shop and at validate`, async ({ page, provider }) => {
    test.slow();
    for (const { scenario, kind, validate: expected } of ENDINGS) {
      await test.step(scenario, async () => {
        await enterShop(page, provider, `mode=${mode}&skipIntro=true&autoReturn=true`);
        await setNextOutcome(provider, scenario);
        const isWindow = mode === 'popup' || mode === 'tab';
        const hosted = isWindow ? await openCheck(page) : page;
        if (!isWindow) await page.getByTestId('verify-age').click();
        await hosted.waitForURL(/\/verify\//);
        const sessionId = new URL(hosted.url()).searchParams.get('sessionId') ?? '';
        await takePictures(hosted, scenario);
        if (scenario === 'timeout') {
          await expect(hosted.getByTestId('notice')).toHaveAttribute('data-kind', 'expired');
        }
        if (kind === 'open-ended') {
          const { status } = await provider.client.session(sessionId);
          expect(status).toBe('pending');
          if (isWindow) await notice(page, 'waiting');
        } else if (isWindow) await notice(page, kind);
        else if (kind === 'expired') {
          await page.goto(`${provider.shop}/`);
          await notice(page, 'expired');
        } else {
          if (kind === 'failed') await page.getByTestId('back').click();
          await expect(page.getByTestId('verdict')).toHaveAttribute('data-kind', kind);
        }
        // The shop's own server asks first; what the SDK says is on screen before that.
        if (expected === 'used') await expect(page.getByTestId('decision')).toBeAttached();
        // What the shop has not used up says so itself; what it has is refused.
        expect(await validate(provider, sessionId)).toBe(expected);
      });
    }
  });
}

/** Goes there by Tab, as somebody does who has no pointer. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const focused = await page.evaluate(
      () => (document.activeElement as HTMLElement | null)?.dataset['testid'],
    );
    if (focused === id) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to "${id}"`);
}

test('from the shelf through the check to the order, with the keyboard alone', async ({
  page,
  provider,
}) => {
  await enterShop(page, provider, 'mode=popup&autoReturn=true');
  await setNextOutcome(provider, 'verified');
  await tabTo(page, 'buy');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('basket')).toHaveAttribute('data-count', '1');
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
});

test('whoever works by keyboard keeps their place in the shop', async ({ page }) => {
  test.slow();
  // Its own, because the clock moves.
  const provider = await startProvider();
  try {
    await enterShop(page, provider, 'mode=popup&skipIntro=true&autoReturn=true');
    const at = (id: string) => page.getByTestId(id);
    const count = (n: number) => expect(at('basket')).toHaveAttribute('data-count', String(n));
    const freeze = at('clock-freeze');
    await pressByKeyboard(freeze, () => expect(freeze).toHaveText('Resume'));
    const before = (await at('clock').textContent()) ?? '';
    const advance = at('clock-advance-60000');
    await pressByKeyboard(advance, () => expect(at('clock')).not.toHaveText(before));
    await pressByKeyboard(freeze, () => expect(freeze).toHaveText('Freeze'));

    for (let n = 1; n <= 11; n += 1) await buy(page);
    await pressByKeyboard(at('buy').first(), () => count(12));
    const less = page.getByRole('button', { name: /^One less/ });
    await pressByKeyboard(less, () => count(11));
    await pressByKeyboard(page.getByRole('button', { name: /^One more/ }), () => count(12));
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
    const goOn = page.getByRole('button', { name: 'Go on shopping' });
    await pressByKeyboard(goOn, () => expect(at('confirmation')).toHaveCount(0));
    await expect(page.locator('#basket-title')).toBeFocused();
    await pressByKeyboard(at('forget-access'), () => notice(page, 'closed'));
    await expect(at('verify-age')).toBeFocused();

    await isDone(page, 'purchase');
    await pressByKeyboard(at('start-over'), () => expect(at('start-over')).toHaveCount(0));
    await pressByKeyboard(at('start-paused'), () => isDone(page, 'paused'));
    await pressByKeyboard(at('mend'), () => expect(at('mend')).toHaveCount(0));
  } finally {
    await provider.stop();
  }
});

const isDone = (page: Page, id: string) =>
  expect(page.getByTestId(`task-${id}`)).toHaveAttribute('data-done', 'true', { timeout: 15_000 });

/** Begins a task and does what the coach says, up to the open window. */
async function beginCheck(page: Page, id: string): Promise<Page> {
  await page.getByTestId(`start-${id}`).click();
  await expect(page.getByTestId('coach')).toBeVisible();
  await expect(page.getByTestId('verify-age')).toBeFocused();
  return openCheck(page);
}

/** What somebody does who has read nothing but the page. */
async function doAllTasks(page: Page): Promise<void> {
  const check = await beginCheck(page, 'purchase');
  await check.getByTestId('start').click();
  await takePictures(check, 'verified');
  await page.getByTestId('to-basket').click();
  await page.getByTestId('checkout').click();
  await expect(page.getByTestId('confirmation')).toBeVisible();
  await isDone(page, 'purchase');

  const tooYoung = await beginCheck(page, 'failed');
  await tooYoung.getByTestId('start').click();
  await takePictures(tooYoung, 'failed_age_not_met');
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
  // The next step works: the old window closes, a new one opens.
  const [fresh] = await Promise.all([openCheck(page), late.waitForEvent('close')]);
  await cancel(fresh);
  await notice(page, 'cancelled');

  await page.getByTestId('start-paused').click();
  await isDone(page, 'paused');
  await page.getByTestId('start-redelivered').click();
  await isDone(page, 'redelivered');
  await expect(page.getByTestId('progress')).toHaveText('6 of 6');
  await page.reload();
  await expect(page.getByTestId('progress')).toHaveText('6 of 6');
}

test('the six things to try, by the shop alone', async ({ page }) => {
  test.slow();
  // Its own, because the clock moves.
  const provider = await startProvider();
  try {
    await enterShop(page, provider);
    await doAllTasks(page);
    const [endpoint] = await provider.client.endpoints(provider.tenantId);
    expect(endpoint?.health).toMatchObject({ state: 'healthy', undelivered: 0 });
    await page.getByTestId('start-over').click();
    await expect(page.getByTestId('progress')).toHaveText('0 of 6');
  } finally {
    await provider.stop();
  }
});

test('the six things to try, with no server at all', async ({ page, site }) => {
  test.slow();
  await page.goto(site.url);
  await expect(page.getByTestId('start-purchase')).toBeEnabled();
  await doAllTasks(page);
});

test('each language reaches the page of the check; a region too, an unknown one does not', async ({
  page,
  provider,
}) => {
  const cases = [
    ...LANGUAGES.map((language) => [language, language]),
    ['pt-BR', 'pt'],
    ['nl', 'en'],
  ];
  for (const [language = '', shown = ''] of cases) {
    await enterShop(page, provider, `mode=popup&language=${language}`);
    await expect((await openCheck(page)).locator('html')).toHaveAttribute('lang', shown);
  }
  await enterShop(page, provider, 'mode=popup&language=de&callLanguage=it');
  await expect((await openCheck(page)).locator('html')).toHaveAttribute('lang', 'it');
});

test('options: the code follows, and what the SDK refuses it says itself', async ({
  page,
  provider,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enterShop(page, provider);
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
  await page.getByTestId('verify-age').click();
  await notice(page, 'error');
  await expect(page.getByTestId('notice')).toContainText('The check is not available');
  await expect(page.getByTestId('hint')).toContainText('Secret key in browser');
  await page.getByTestId('reset-options').click();
  await expect(refused).toHaveCount(0);
  await page.getByTestId('return-url').fill('http://shop.example/');
  await expect(refused).toContainText('HTTPS required in production');
  await page.getByTestId('reset-options').click();
  await page.getByTestId('sets-policy').check();
  await expect(refused).toContainText('challengeAge cannot be set in the browser');
  await page.reload();
  await expect(page.getByTestId('sets-policy')).toBeChecked();
});

test('a callback is shown, and without externalUserId nobody is let in', async ({
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

test('a blocked window leads on in the same tab, and the basket comes along', async ({
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
  // A reload asks again, and the shop's server has the answer; a forged status changes nothing.
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

test('what the shop’s server has against it stays to be read', async ({ page, provider }) => {
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
  const trouble = page.getByTestId('order-trouble');
  await expect(trouble).toHaveText("The shop's server answered 500");
  await hasLooked();
  await hasLooked();
  await expect(notice).toContainText('not allowed');
  await expect(trouble).toBeVisible();
  await page.unroute('**/shop/orders');
  await page.getByTestId('checkout').click();
  await expect(page.getByTestId('refused')).toBeVisible();
  await expect(trouble).toHaveCount(0);
});

test('a shop whose first look failed has everything a moment later', async ({ page, provider }) => {
  await page.route('**/shop/**', (route) => route.abort());
  await page.goto(`${provider.shop}/`);
  await expect(page.getByTestId('notice')).toContainText('cannot be reached');
  await page.unroute('**/shop/**');
  await expect(page.getByTestId('verify-age')).toBeEnabled();
  await expect(page.getByTestId('start-purchase')).toBeEnabled();
  await expect(page.getByTestId('clock')).toBeVisible();
});
