import { expect } from '@playwright/test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Merchant } from '../support/sites.ts';
import { eventually } from '../support/tab.ts';
import { ended, type EngineTest, entries, goBack, notes, type Page } from './merchant-page.ts';

export function redirectScenarios(test: EngineTest): void {
  test('redirect: verify() navigates, and the return page reads the untrusted parameters', async ({
    tab,
    sites,
  }) => {
    const setup: Merchant = { options: { mode: 'redirect' } };
    await tab.goto(sites.page(setup));
    await tab.click('#verify');
    await eventually.url(tab).toContain('/hosted?');
    await goBack(tab, sites, setup, 'verified');
    await eventually.url(tab).toContain('/return?keep=a%20b&');
    const returned = JSON.parse(await tab.text('#returned')) as Record<string, unknown>;
    expect(returned).toMatchObject({ status: 'verified' });
    expect(returned.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('redirect: verify() works again after the back button', async ({ tab, sites }, info) => {
    await tab.goto(sites.page({ options: { mode: 'redirect' } }));
    await tab.click('#verify');
    await eventually.text(tab, '#hosted').toBe('Hosted page');
    await tab.back();
    // Reads the page itself, because Playwright does not notice a page that Firefox restores from its cache.
    await eventually.run(tab, () => location.origin).toBe(sites.merchant);
    await sleep(500);
    const log = await entries(tab);
    const restored = log.some(([what, persisted]) => what === 'pageshow' && persisted === true);
    info.annotations.push({
      type: 'back/forward cache',
      description: restored ? 'restored' : 'loaded again',
    });
    // In a restored page the promise settles. A reloaded page has no promise.
    if (restored) await ended(tab, 'resolved', 'cancelled', 'history_back');
    else expect(await notes(tab)).toEqual([]);
    await tab.run(() => void (window as never as Page).start());
    await eventually.run(tab, () => location.pathname).toContain('/hosted');
  });

  for (const page of ['204', 'download'] as const) {
    test(`redirect: verify() reports navigation_failed when the response is a ${page}`, async ({
      tab,
      sites,
    }) => {
      await tab.goto(sites.page({ options: { mode: 'redirect' }, hosted: { page } }));
      await tab.click('#verify');
      // The SDK waits five seconds for the navigation. Tests with fake timers check that, because here it
      // depends on the load of the machine.
      await ended(tab, 'onError', 'navigation_failed');
    });
  }

  for (const script of [
    'var navigation = { menu: true }',
    'var navigation = []',
    'function navigation() {}',
  ]) {
    test(`redirect: verify() navigates from a page with ${script} without an error`, async ({
      tab,
      sites,
    }) => {
      const setup: Merchant = { options: { mode: 'redirect' }, hosted: { delayMs: 3000 } };
      await tab.goto(sites.page({ ...setup, script }));
      await tab.click('#verify');
      await eventually.url(tab).toContain('/hosted?');
      // The page has unloaded. Its notes are in the storage of its origin.
      await tab.goto(`${sites.merchant}/cancelled`);
      const kept = await tab.run(() => localStorage.getItem('log'));
      const noted = (JSON.parse(String(kept)) as unknown[][]).filter(
        ([what]) => what !== 'pageshow',
      );
      expect(noted).toEqual([['verify']]);
    });
  }

  test('redirect: verify() reports navigation_failed when the shopper stops the navigation', async ({
    tab,
    sites,
  }) => {
    await tab.goto(sites.page({ options: { mode: 'redirect' }, hosted: { page: 'hang' } }));
    await tab.run(() => {
      (window as never as Page).start();
      setTimeout(() => window.stop(), 1500);
    });
    await ended(tab, 'onError', 'navigation_failed');
  });

  test('rate limit: verify() rejects the sixth attempt in a minute, even after a reload', async ({
    tab,
    sites,
  }) => {
    const page = sites.page({ options: { mode: 'redirect', apiKey: `pk_${'0'.repeat(48)}` } });
    await tab.goto(page);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await tab.click('#verify');
      await expect
        .poll(
          async () =>
            (await notes(tab)).filter(
              ([what, code]) => what === 'onError' && code === 'unauthorized',
            ).length,
        )
        .toBe(attempt);
    }
    await tab.goto(page);
    const before = sites.counts().posts;
    await tab.click('#verify');
    await ended(tab, 'onError', 'rate_limited');
    expect(sites.counts().posts).toBe(before);
  });
}
