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
    await goBack(tab, sites, 'verified');
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
    const hasOld = async (): Promise<boolean> => (await notes(tab)).length > 0;
    const hasEvent = async (): Promise<boolean> => {
      const restored = await hasOld();
      return (await entries(tab)).some(([what, old]) => what === 'pageshow' && old === restored);
    };
    await expect.poll(() => hasEvent().catch(String)).toBe(true);
    const restored = await hasOld();
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
    test(`redirect: a second click navigates to the same session when the response is a ${page}`, async ({
      tab,
      sites,
    }) => {
      await tab.goto(sites.page({ options: { mode: 'redirect' }, hosted: { page } }));
      const before = sites.counts();
      await tab.run(() => {
        (window as never as Page).start();
        // Chromium ignores a second navigation to the same address within three seconds.
        setTimeout(() => (window as never as Page).start(), 4000);
      });
      await expect.poll(() => sites.counts().visits - before.visits).toBe(2);
      // No browser reports this. Tests with fake timers check that the promise rejects after 60 s.
      expect(await notes(tab)).toEqual([['verify'], ['verify']]);
      expect(sites.counts().posts - before.posts).toBe(1);
    });
  }

  test('redirect: a click while a slow hosted page loads creates no second session', async ({
    tab,
    sites,
  }) => {
    const hosted = { delayMs: 6500 };
    await tab.goto(sites.page({ options: { mode: 'redirect' }, hosted }));
    const before = sites.counts();
    // A single command, because Playwright waits for the end of a navigation before the next one.
    await tab.run(() => {
      (window as never as Page).start();
      setTimeout(() => (window as never as Page).start(), 500);
      // Routers of single-page shops do that. Chromium then reports the navigation as aborted and continues it.
      setTimeout(() => history.replaceState({ scroll: 1 }, ''), 1000);
    });
    await eventually.url(tab).toContain('/hosted?');
    expect(sites.counts().posts - before.posts).toBe(1);
    await tab.goto(`${sites.merchant}/cancelled`);
    const kept = await tab.run(() => localStorage.getItem('log'));
    expect(String(kept)).not.toContain('navigation_failed');
  });

  test('redirect: after the shopper stopped the navigation, a click opens the hosted page', async ({
    tab,
    sites,
  }) => {
    await tab.goto(sites.page({ options: { mode: 'redirect' }, hosted: { page: 'hang' } }));
    const before = sites.counts();
    await tab.run(() => {
      (window as never as Page).start();
      setTimeout(() => window.stop(), 1500);
    });
    await expect.poll(() => sites.counts().visits - before.visits).toBe(1);
    await sleep(2000);
    // Only Chromium reports the stop, and then the click creates a new session.
    const isReported = (await notes(tab)).some(([what]) => what === 'onError');
    if (isReported) await ended(tab, 'rejected', 'navigation_failed', null);
    await tab.run(() => void (window as never as Page).start());
    await expect.poll(() => sites.counts().visits - before.visits).toBe(2);
    expect(sites.counts().posts - before.posts).toBe(isReported ? 2 : 1);
  });
}
