/** The journey without a server: the service runs inside the page, with its state in IndexedDB. */
import { expect, type Page } from '@playwright/test';
import { createControlClient } from 'ofage-mock/client';
import { passThrough } from './support/hosted-page.ts';
import type { StaticSite } from './support/static-site.ts';
import { test } from './support/test.ts';

const API = 'https://api.ofage.example';

const openShop = async (page: Page, site: StaticSite, query: string): Promise<void> => {
  await page.goto(`${site.url}?${query}`);
  await expect(page.getByTestId('verify-age')).toBeEnabled();
};

/** Sends requests from the page, because its service worker routes them to the service in the page. */
const fetchIn = (page: Page) => async (url: string, init: RequestInit) => {
  const request = {
    method: init.method ?? 'GET',
    body: (init.body as string | undefined) ?? null,
    headers: [...new Headers(init.headers)],
  };
  const answer = await page.evaluate(
    async ([to, how]) => {
      const response = await fetch(to, how);
      return { status: response.status, text: await response.text() };
    },
    [url, request] as const,
  );
  return new Response(answer.text, { status: answer.status });
};

test('redirect: the state survives every page load, and access is granted', async ({
  page,
  site,
}) => {
  await openShop(page, site, 'mode=redirect');
  await page.getByTestId('verify-age').click();
  await page.waitForURL('**/some/path/verify/**');
  await page.reload();
  await passThrough(page, 'verified');
  await page.waitForURL('**/some/path/return/**');
  await expect(page.getByTestId('decision')).toHaveAttribute('data-access', 'true');
  await page.getByTestId('to-timeline').click();
  await expect(
    page.getByTestId('entry').filter({ hasText: 'verification.completed' }).first(),
  ).toBeVisible();
  // The pages have reported to the service.
  for (const title of ['verify() called', 'Page received its session', 'handleReturn() returned'])
    await expect(
      page.locator('[data-testid=entry][data-kind=sdk][data-session]').filter({ hasText: title }),
    ).toHaveCount(1);
  await page.goBack();
  await expect(page.getByTestId('demo-note')).toContainText('in this browser');
  await page.getByTestId('back-to-shop').click();
  await expect(page.getByTestId('access')).toHaveAttribute('data-access', 'true');
  await expect(
    page.locator('[data-testid=webhook][data-event="verification.completed"]'),
  ).toHaveCount(1);
  // The service still has the requests of earlier pages.
  const { requests, reports } = createControlClient({ baseUrl: API, fetch: fetchIn(page) });
  const asked = (await requests({ limit: 500 })).map(({ path, status }) => `${path} ${status}`);
  for (const known of ['/api/v1/sessions/create 201', '/api/v1/sessions/validate 200'])
    expect(asked).toContain(known);
  // A page that the shopper left has reported that, too.
  const left = (await reports({ limit: 500 })).filter(({ kind }) => kind === 'page.left');
  expect(left.map(({ pageUrl }) => pageUrl)).toContain(site.url);
});

test('server: a failed session that the shop’s server in the page created grants no access', async ({
  page,
  site,
}) => {
  await openShop(page, site, 'mode=server');
  await page.getByTestId('verify-age').click();
  await passThrough(page, 'failed_age_not_met');
  await page.getByTestId('back').click();
  await expect(page.getByTestId('decision')).toHaveAttribute('data-access', 'false');
});
