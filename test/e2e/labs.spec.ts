/** The labs and the doctor, with real windows and real HTTP. */
import { expect, type Page } from '@playwright/test';
import { passThrough } from './support/hosted-page.ts';
import {
  attack,
  openAttackLab,
  openPopupLab,
  openWebhookLab,
  pauseReceiver,
  reportOf,
} from './support/labs-states.ts';
import { test } from './support/test.ts';

/** Runs a scenario that opens a window and waits for the report of the SDK. */
async function run(page: Page, id: string, expected: Record<string, string>): Promise<void> {
  await page.getByTestId(`run-${id}`).click();
  const report = reportOf(page, id);
  await expect(report).not.toHaveAttribute('data-word', '', { timeout: 20_000 });
  const found = await report.evaluate(({ dataset }: any) => ({ ...dataset }));
  expect(found, id).toMatchObject(expected);
  await expect(page.getByTestId(`popup-${id}`).getByTestId('verdict')).toHaveText('as expected');
}

test('the doctor finds no problem after a verification in the shop', async ({ page, provider }) => {
  await page.goto(`${provider.shop}/?mode=popup`);
  await expect(page.getByTestId('verify-age')).toBeEnabled();
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByTestId('verify-age').click(),
  ]);
  await passThrough(popup, 'verified');
  await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'true');
  await page.goto(`${provider.shop}/console/#doctor`);
  await expect(page.getByTestId('verdict')).toHaveAttribute('data-verdict', 'untried');
  await expect(page.getByTestId('finding')).toHaveAttribute('data-code', 'all_well');
  await page.getByTestId('filters').click();
  await page.getByTestId('labs-filter').check();
  // The shop's endpoint uses plain http on this machine, which production would refuse.
  await expect(page.getByTestId('verdict')).toHaveAttribute('data-verdict', 'warnings');
  await expect(page.getByTestId('finding')).toHaveCount(1);
  await expect(page.getByTestId('finding')).toHaveAttribute('data-code', 'webhook_not_https');
});

test('attacks: one button runs all, which succeed only against the careless shop, whose mistakes the doctor finds', async ({
  page,
  provider,
}) => {
  await openAttackLab(page, provider);
  const ids = await page
    .locator('[data-testid^="attack-"]')
    .evaluateAll((items: any[]) => items.map((item) => item.dataset.testid.slice(7)));
  expect(ids).toHaveLength(8);
  // The first attack is started by keyboard, and the focus stays on its button.
  await page.getByTestId('run-forged-return').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('attack-forged-return').getByTestId('side-shop')).toBeAttached();
  await expect(page.getByTestId('run-forged-return')).toBeFocused();
  await expect(page.getByTestId('attacks')).toHaveAttribute('data-ready', 'true');
  await page.getByTestId('run-all').click();
  const [shop, careless] = [page.getByTestId('score-shop'), page.getByTestId('score-careless')];
  await expect(shop).toHaveText('Demo shop: stopped 8 of 8', { timeout: 40_000 });
  await expect(careless).toHaveText('Careless shop: stopped 0 of 8');
  await expect(page.getByTestId('attacks')).toHaveAttribute('data-ready', 'true');
  for (const id of ids) {
    const lab = page.getByTestId(`attack-${id}`);
    await expect(lab.getByTestId('side-shop'), id).toHaveAttribute('data-in', 'false');
    await expect(lab.getByTestId('side-careless'), id).toHaveAttribute('data-in', 'true');
  }
  await expect(page.getByTestId('attack-forged-message')).toContainText('The SDK ignored');

  await page.goto(`${provider.shop}/console/#doctor`);
  await expect(page.getByTestId('verdict')).not.toHaveAttribute('data-verdict', 'problems');
  await page.getByTestId('filters').click();
  await page.getByTestId('labs-filter').check();
  await expect(page.getByTestId('verdict')).toHaveAttribute('data-verdict', 'problems');
  for (const code of ['url_status_trusted', 'access_not_verified', 'event_processed_twice']) {
    await expect(page.locator(`[data-testid=finding][data-code=${code}]`), code).toBeVisible();
  }
  const trusted = page.locator('[data-testid=finding][data-code=url_status_trusted]');
  await trusted.locator('summary').click();
  const href = await trusted.getByTestId('evidence').first().getAttribute('href');
  expect(href).toMatch(/^#sessions\/[0-9a-f-]{36}$/);
  const sessionId = href!.split('/').at(-1)!;
  await expect(trusted.getByTestId('finding-page')).toHaveAttribute(
    'href',
    /\/help\/url_status_trusted$/,
  );

  await page.getByTestId('session-filter').fill(sessionId);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`#doctor\\?labs=on&session=${sessionId}$`));
  await expect(page.locator('[data-code=event_processed_twice]')).toHaveCount(0);
  await expect(trusted).toBeVisible();
  await page.getByTestId('session-filter').fill('nothing-of-the-kind');
  // A new report keeps the text in the filter.
  const seen = page.getByTestId('verdict').locator('.verdict__seen');
  const before = await seen.textContent();
  await expect(async () => {
    await page.getByTestId('recheck').click();
    await expect(seen).not.toHaveText(before ?? '', { timeout: 1_000 });
  }).toPass();
  await expect(page.getByTestId('session-filter')).toHaveValue('nothing-of-the-kind');
  await page.getByTestId('session-filter').press('Enter');
  await expect(page.getByTestId('error')).toContainText('not found');
});

test('attacks: the lab recovers automatically from an outage', async ({ page, provider }) => {
  await openAttackLab(page, provider);
  await page.route('**/shop/**', (route) => route.abort());
  await page.getByTestId('run-forged-return').click();
  const problem = page.locator('.note.tone--bad[role=alert]').filter({ hasNotText: 'The attack' });
  await expect(problem).toBeVisible();
  await page.unroute('**/shop/**');
  await expect(page.getByTestId('attacks')).toHaveAttribute('data-ready', 'true');
  await expect(problem).toHaveCount(0);
  await attack(page, 'forged-return');
});

// labs-blocked.spec.ts tests the scenario too_late, which needs a browser that blocks popups.
const POPUPS = {
  blocked: { word: 'rejected', code: 'popup_blocked' },
  coop: { word: 'verified' },
  opener_lost: { word: 'verified' },
  closed_early: { word: 'cancelled', reason: 'closed' },
  closed_before_start: { word: 'cancelled', reason: 'closed_before_start' },
  closed_after: { word: 'verified' },
  slow_create: { word: 'verified' },
  forged: { word: 'cancelled', reason: 'user' },
};

test('popups: the SDK reports the right result for each scenario but too_late', async ({
  context,
  provider,
}) => {
  // Each in a page of its own at the same time, because they mostly wait.
  await Promise.all(
    Object.entries(POPUPS).map(async ([id, expected]) => {
      const page = await context.newPage();
      await openPopupLab(page, provider);
      await run(page, id, expected);
      if (id !== 'coop') return;
      const entries = page.getByTestId('details-coop').locator('.entries');
      await expect(entries).toContainText('closed === true');
      await expect(entries).toContainText('session verified');
    }),
  );
});

test('webhooks: an hour of rejections pauses the endpoint, and resume and redeliver send the missed events', async ({
  page,
  provider,
}) => {
  await openWebhookLab(page, provider);
  await pauseReceiver(page);
  await page.getByTestId('behaviour').selectOption('ok');
  await page.getByTestId('resume').click();
  await expect(page.getByTestId('endpoint-state')).toHaveAttribute('data-state', 'healthy');
  await page.getByTestId('redeliver').click();
  await expect(page.locator('[data-testid=request][data-work=processed]').first()).toBeVisible();
});

test('webhooks: the lab shows the attempts for several receiver behaviours over real sockets, and explains signatures', async ({
  page,
  provider,
}) => {
  await provider.client.reset();
  await openWebhookLab(page, provider);
  await page.getByTestId('add-endpoint').click();
  await expect(page.getByTestId('endpoint-state')).toBeVisible();
  const attempts = page.getByTestId('attempt');
  for (const [behaviour, words] of [
    ['reset', 'reset'],
    ['too_many', '429, retry after 5 s'],
    ['endless', '200'],
    ['redirect', '200, 1 redirect'],
  ] as const) {
    await page.getByTestId('behaviour').selectOption(behaviour);
    await page.getByTestId('trigger').click();
    await expect(attempts.filter({ hasText: words }).first(), behaviour).toBeVisible();
    // Pending deliveries would otherwise be retried during the next behaviour.
    await page.getByTestId('behaviour').selectOption('ok');
    await page.getByTestId('hour').click();
    await expect(page.getByTestId('endpoint-state')).toContainText('0 waiting');
  }

  await page.getByTestId('forget').click();
  await expect(page.getByTestId('request')).toHaveCount(0);
  await page.getByTestId('remembers').uncheck();
  await page.getByTestId('behaviour').selectOption('lost_answer');
  await page.getByTestId('trigger').click();
  await expect(page.getByTestId('request')).toHaveCount(2);
  // The receiver gets a request before the service records its result.
  await expect(page.getByTestId('endpoint-state')).toContainText('2 failures in a row · 2 waiting');
  await expect(attempts.filter({ hasText: 'in progress' })).toHaveCount(0);
  await page.getByTestId('jump').click();
  await expect(page.getByTestId('twice')).toBeVisible();
  await page.getByTestId('remembers').check();

  // Retries arrive at the top, so the last request is the oldest one.
  const request = page.getByTestId('request').last();
  const [session] = await provider.client.sessions({ limit: 1 });
  await expect(request.getByTestId('request-session')).toHaveText(session?.id.slice(0, 8) ?? '');
  const deliveries = await provider.client.deliveries({ sessionId: session?.id ?? '' });
  const sent = deliveries.flatMap(({ attempts }) => attempts.map(({ startedAt }) => startedAt));
  expect(sent).toContain(await request.getByTestId('request-time').getAttribute('datetime'));
  await request.locator('summary').first().click();
  await request.getByTestId('explain-it').click();
  const explanation = page.getByTestId('explanation');
  await expect(explanation).toHaveAttribute('data-valid', 'true');
  for (const [example, code] of [
    ['reserialised', 'body_reformatted'],
    ['no_prefix', 'header_malformed'],
    ['newline', 'body_reformatted'],
    ['wrong_secret', 'wrong_secret'],
    ['old_secret', 'unknown_secret'],
    ['right', ''],
  ] as const) {
    await page.getByTestId(`example-${example}`).click();
    await expect(explanation).toHaveAttribute('data-codes', code);
  }
});

test('static playground: the labs and the doctor work', async ({ page, site }) => {
  await page.goto(`${site.url}labs/#attack`);
  await expect(page.getByTestId('attacks')).toHaveAttribute('data-ready', 'true');
  for (const id of ['forged-return', 'replayed-webhook']) {
    await attack(page, id);
    const lab = page.getByTestId(`attack-${id}`);
    await expect(lab.getByTestId('side-shop'), id).toHaveAttribute('data-in', 'false');
    await expect(lab.getByTestId('side-careless'), id).toHaveAttribute('data-in', 'true');
  }

  await page.getByTestId('lab-popup').click();
  await page.getByTestId('about-coop').click();
  await expect(page.getByTestId('details-coop').getByTestId('unavailable')).toBeVisible();
  await expect(page.getByTestId('run-coop')).toBeDisabled();
  await run(page, 'opener_lost', { word: 'verified' });

  await page.getByTestId('lab-webhook').click();
  await pauseReceiver(page);
  await page.getByTestId('behaviour').selectOption('ok');
  await page.getByTestId('resume').click();
  await expect(page.getByTestId('endpoint-state')).toHaveAttribute('data-state', 'healthy');

  await page.goto(`${site.url}console/#doctor?labs=1`);
  const trusted = page.locator('[data-testid=finding][data-code=url_status_trusted]');
  await expect(trusted).toContainText('What to do');
});
