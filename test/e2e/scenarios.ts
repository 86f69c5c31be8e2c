/** The scenarios of the SDK, which run unchanged in Chromium, Firefox and WebKit. */
import { expect, type TestType } from '@playwright/test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hosted, Merchant, Sites } from './support/sites.ts';
import { eventually, type Tab } from './support/tab.ts';

/** The globals of the merchant and hosted pages of support/sites.ts. */
interface Page {
  log: unknown[][];
  start(call?: object): void;
  say(to: string, status: string, more?: object): void;
  goBack(url: string, status: string): void;
  sessionId: string;
  spoof: object;
}

/** Longer than every grace period of the SDK. An attempt that is still pending is never cancelled. */
const PAST_EVERY_GRACE_MS = 6500;

const COOP = [undefined, 'same-origin-allow-popups', 'same-origin', 'noopener-allow-popups'];

const entries = (tab: Tab): Promise<unknown[][]> => tab.run(() => (window as never as Page).log);

/** Returns the notes of the page, without the last argument of `resolved`, which is the whole result. */
async function notes(tab: Tab): Promise<unknown[][]> {
  return (await entries(tab))
    .filter(([what]) => what !== 'pageshow')
    .map((entry) => entry.slice(0, 3));
}

const ended = (tab: Tab, ...entry: unknown[]): Promise<void> =>
  expect.poll(() => notes(tab).catch(String), { timeout: 20_000 }).toContainEqual(entry);

async function open(sites: Sites, tab: Tab, setup: Merchant = {}): Promise<Tab> {
  await tab.goto(sites.page(setup));
  const popup = await tab.popup(() => tab.click('#verify'));
  await eventually.url(popup).toContain('/hosted?');
  await eventually.text(popup, '#hosted').toBe('Hosted page');
  return popup;
}

const say = (popup: Tab, to: string, status: string): Promise<void> =>
  popup.run(([origin, outcome]) => (window as never as Page).say(origin!, outcome!), [to, status]);

const goBack = async (popup: Tab, sites: Sites, setup: Merchant, status: string): Promise<void> => {
  const url = `${sites.merchant}/return?keep=a%20b&setup=${encodeURIComponent(JSON.stringify(setup))}`;
  // The page may have navigated before the response to this command arrives.
  await popup
    .run(
      ([to, outcome]) => void setTimeout(() => (window as never as Page).goBack(to!, outcome!), 50),
      [url, status],
    )
    .catch(() => {});
};

export function scenarios(test: TestType<{ tab: Tab; sites: Sites }, object>): void {
  for (const newTabTarget of ['popup', 'tab']) {
    test(`${newTabTarget}: opens in the click, completes by message and closes the window`, async ({
      tab,
      sites,
    }) => {
      const popup = await open(sites, tab, { options: { newTabTarget } });
      await say(popup, sites.merchant, 'verified');
      await ended(tab, 'resolved', 'verified', null);
      expect(await notes(tab)).toEqual([
        ['verify'],
        ['onComplete', 'verified'],
        ['resolved', 'verified', null],
      ]);
      await eventually.closed(popup).toBe(true);
    });
  }

  test('popup: opens the hosted page after a slow create call', async ({ tab, sites }) => {
    const popup = await open(sites, tab, { hosted: { createDelayMs: 6000 } });
    await say(popup, sites.merchant, 'failed');
    await ended(tab, 'onComplete', 'failed');
  });

  test('popup: closing the window cancels and navigates to cancelUrl', async ({ tab, sites }) => {
    const popup = await open(sites, tab, {
      options: { cancelUrl: `${sites.merchant}/cancelled?a=%20b` },
    });
    await sleep(1000);
    await popup.close();
    await eventually.url(tab).toContain('/cancelled?a=%20b&status=cancelled&sessionId=');
  });

  test('popup: stays on the page when onCancel returns false', async ({ tab, sites }) => {
    const popup = await open(sites, tab, {
      options: { cancelUrl: `${sites.merchant}/cancelled` },
      onCancelReturns: false,
    });
    await say(popup, sites.merchant, 'cancelled');
    await ended(tab, 'resolved', 'cancelled', 'user');
    await sleep(300);
    expect(await tab.url()).not.toContain('/cancelled');
    expect(await notes(tab)).toEqual([['verify'], ['onCancel'], ['resolved', 'cancelled', 'user']]);
  });

  test('popup: cancels when the window closes before the session exists', async ({
    tab,
    sites,
  }) => {
    await tab.goto(sites.page({ hosted: { createDelayMs: 4000 } }));
    const popup = await tab.popup(() => tab.click('#verify'));
    await sleep(300);
    await popup.close();
    await ended(tab, 'resolved', 'cancelled', 'closed_before_start');
  });

  test('popup: the next click works after the window closed before the hosted page loaded', async ({
    tab,
    sites,
  }) => {
    await tab.goto(sites.page({ hosted: { page: 'hang' } }));
    const popup = await tab.popup(() => tab.click('#verify'));
    await sleep(1500);
    await popup.close();
    await sleep(PAST_EVERY_GRACE_MS);
    // Only focus tells a close from COOP, and not every engine reports it: cancelled, or still pending.
    const first = (await notes(tab)).slice(1);
    expect([[], [['onCancel'], ['resolved', 'cancelled', 'closed']]]).toContainEqual(first);
    const second = await tab.popup(() => tab.click('#verify'));
    if (first.length === 0) await ended(tab, 'rejected', 'superseded', null);
    expect(await notes(tab)).not.toContainEqual(['onError', 'superseded']);
    await second.close();
  });

  test('popup: accepts a message that is posted while the window closes', async ({
    tab,
    sites,
  }) => {
    const popup = await open(sites, tab);
    await sleep(500);
    await popup
      .run((origin) => {
        setTimeout(() => {
          (window as never as Page).say(origin, 'verified');
          window.close();
        }, 50);
      }, sites.merchant)
      .catch(() => {});
    await ended(tab, 'resolved', 'verified', null);
    expect(await notes(tab)).not.toContainEqual(['onCancel']);
  });

  test('popup: ignores forged messages', async ({ tab, sites }) => {
    const popup = await open(sites, tab);
    const sessionId = await popup.run(() => new URLSearchParams(location.search).get('sessionId'));
    const spoof = {
      type: 'ofage:verification:complete',
      sessionId,
      status: 'verified',
      timestamp: 1,
    };
    // The right session from the wrong origin, which is the merchant's window.
    await tab.run((data) => window.postMessage(data, '*'), spoof);
    // The right session and origin from the wrong window, which is a frame of the hosted site.
    await tab.run(
      (src) =>
        new Promise<void>((resolve) => {
          const frame = document.createElement('iframe');
          frame.src = src;
          frame.addEventListener('load', () => resolve());
          document.body.append(frame);
        }),
      `${sites.hosted}/v/%7B%7D/hosted?sessionId=${sessionId}`,
    );
    const frame = await tab.frame('iframe');
    await frame.run((data) => window.parent.postMessage(data, '*'), spoof);
    // The right window and origin with another session.
    await popup.run(
      ([to, data]) => window.opener.postMessage({ ...(data as object), sessionId: 'another' }, to),
      [sites.merchant, spoof] as const,
    );
    await sleep(500);
    expect(await notes(tab)).toEqual([['verify']]);
    await say(popup, sites.merchant, 'failed');
    await ended(tab, 'resolved', 'failed', null);
  });

  test('popup: the return page completes the attempt when no message arrived', async ({
    tab,
    sites,
  }) => {
    const popup = await open(sites, tab);
    await goBack(popup, sites, {}, 'verified');
    await ended(tab, 'resolved', 'verified', null);
    await eventually.closed(popup).toBe(true);
  });

  test('popup: a double click starts one attempt', async ({ tab, sites }) => {
    await tab.goto(sites.page());
    const before = sites.counts().posts;
    const popup = await tab.popup(() => tab.click('#twice'));
    await eventually.text(popup, '#hosted').toBe('Hosted page');
    await say(popup, sites.merchant, 'verified');
    await ended(tab, 'onComplete', 'verified');
    const resolved = (await notes(tab)).filter(([what]) => what === 'resolved');
    expect(resolved).toHaveLength(2);
    expect(sites.counts().posts - before).toBe(1);
  });

  test('popup: two tabs do not receive the messages of each other', async ({ tab, sites }) => {
    const popup = await open(sites, tab);
    const other = await tab.sibling();
    const otherPopup = await open(sites, other);
    await say(otherPopup, sites.merchant, 'failed');
    await ended(other, 'resolved', 'failed', null);
    expect(await notes(tab)).toEqual([['verify']]);
    await say(popup, sites.merchant, 'verified');
    await ended(tab, 'resolved', 'verified', null);
  });

  test('popup: is rejected without a click before a session is created', async ({ tab, sites }) => {
    await tab.goto(sites.page());
    const before = sites.counts().posts;
    await tab.click('#late');
    // A single command that waits in the page, because each Playwright command counts as a user gesture.
    await tab.run(
      () =>
        new Promise<void>((resolve) => {
          const timer = setInterval(() => {
            if ((window as never as Page).log.some(([what]) => what === 'rejected')) {
              clearInterval(timer);
              resolve();
            }
          }, 50);
          setTimeout(resolve, 12_000);
        }),
    );
    await ended(tab, 'onError', 'popup_blocked');
    expect(sites.counts().posts).toBe(before);
  });

  test('popup: works under a strict CSP with Trusted Types, without violations', async ({
    tab,
    sites,
  }) => {
    const popup = await open(sites, tab, { strictCsp: true });
    await say(popup, sites.merchant, 'verified');
    await ended(tab, 'resolved', 'verified', null);
    expect((await notes(tab)).filter(([what]) => what === 'violation')).toEqual([]);
  });

  test('popup: works for a merchant in a frame of another site', async ({ tab, sites }) => {
    await tab.goto(sites.frame());
    const frame = await tab.frame('iframe');
    await expect.poll(() => frame.run(() => document.readyState).catch(String)).toBe('complete');
    const popup = await tab.popup(() => frame.click('#verify'));
    await eventually.text(popup, '#hosted').toBe('Hosted page');
    await say(popup, sites.merchant, 'verified');
    await expect
      .poll(() => frame.run(() => (window as never as Page).log.map((entry) => entry.slice(0, 2))))
      .toContainEqual(['resolved', 'verified']);
  });

  for (const coop of COOP) {
    for (const hostedCoop of COOP) {
      const name = `merchant ${coop ?? 'none'}, hosted ${hostedCoop ?? 'none'}`;
      test(`opener policies, ${name}: completes without a false cancel`, async ({ tab, sites }) => {
        const hosted: Hosted = hostedCoop ? { coop: hostedCoop } : {};
        const setup: Merchant = { ...(coop ? { coop } : {}), hosted };
        const popup = await open(sites, tab, setup);
        await sleep(PAST_EVERY_GRACE_MS);
        expect(await notes(tab)).toEqual([['verify']]);
        await say(popup, sites.merchant, 'verified');
        await sleep(300);
        if ((await notes(tab)).length === 1) await goBack(popup, sites, setup, 'verified');
        await ended(tab, 'resolved', 'verified', null);
        expect(await notes(tab)).toEqual([
          ['verify'],
          ['onComplete', 'verified'],
          ['resolved', 'verified', null],
        ]);
      });
    }
  }

  test('redirect: navigates and returns with untrusted parameters', async ({ tab, sites }) => {
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
    test(`redirect: reports a navigation that results in ${page}`, async ({ tab, sites }) => {
      await tab.goto(sites.page({ options: { mode: 'redirect' }, hosted: { page } }));
      await tab.click('#verify');
      // The five seconds are tested with fake timers, because here they depend on the load of the machine.
      await ended(tab, 'onError', 'navigation_failed');
    });
  }

  for (const script of [
    'var navigation = { menu: true }',
    'var navigation = []',
    'function navigation() {}',
  ]) {
    test(`redirect: navigates from a page with ${script} without an error`, async ({
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

  for (const script of ['let open = false', 'function open() { throw new Error("menu") }']) {
    test(`popup: opens from a page with ${script}`, async ({ tab, sites }) => {
      const popup = await open(sites, tab, { script });
      await say(popup, sites.merchant, 'verified');
      await ended(tab, 'resolved', 'verified', null);
    });
  }

  test('redirect: reports a navigation that the shopper stops', async ({ tab, sites }) => {
    await tab.goto(sites.page({ options: { mode: 'redirect' }, hosted: { page: 'hang' } }));
    await tab.run(() => {
      (window as never as Page).start();
      setTimeout(() => window.stop(), 1500);
    });
    await ended(tab, 'onError', 'navigation_failed');
  });

  test('popup: reports popup_blocked in a sandbox without popups', async ({ tab, sites }) => {
    await tab.goto(sites.frame({}, 'allow-scripts'));
    const frame = await tab.frame('iframe');
    await expect.poll(() => frame.run(() => document.readyState).catch(String)).toBe('complete');
    await frame.run(() => (window as never as Page).start());
    await expect
      .poll(() => frame.run(() => (window as never as Page).log.map((entry) => entry.slice(0, 2))))
      .toContainEqual(['onError', 'popup_blocked']);
  });

  test('popup: a frame without an origin gets the reason, and no window opens', async ({
    tab,
    sites,
  }) => {
    await tab.goto(sites.frame({}, 'allow-scripts allow-popups'));
    const frame = await tab.frame('iframe');
    await expect.poll(() => frame.run(() => document.readyState).catch(String)).toBe('complete');
    await frame.click('#verify');
    await expect
      .poll(() => frame.run(() => (window as never as Page).log.at(-1)?.slice(0, 3)))
      .toEqual(['rejected', 'popup_blocked', 'sandboxed']);
  });

  test('popup: a frame of another site inside a COOP page opens one window and reports the reason', async ({
    tab,
    sites,
  }) => {
    await tab.goto(sites.frame({}, undefined, 'same-origin'));
    const frame = await tab.frame('iframe');
    await expect.poll(() => frame.run(() => document.readyState).catch(String)).toBe('complete');
    const before = sites.counts().posts;
    const blank = await tab.popup(() => frame.click('#verify'));
    await frame.click('#verify');
    await expect
      .poll(() =>
        frame.run(() =>
          (window as never as Page).log
            .filter(([what]) => what === 'rejected')
            .map((entry) => entry.slice(0, 3)),
        ),
      )
      .toEqual([
        ['rejected', 'popup_blocked', 'framed'],
        ['rejected', 'popup_blocked', 'framed'],
      ]);
    expect(sites.counts().posts).toBe(before);
    await blank.close();
  });

  test('rate limit: allows five attempts a minute, even after a reload', async ({ tab, sites }) => {
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
