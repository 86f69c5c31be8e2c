import { expect } from '@playwright/test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Tab } from '../support/tab.ts';
import {
  ended,
  goBack,
  type EngineTest,
  notes,
  ONE_ENGINE,
  open,
  type Page,
  PAST_EVERY_GRACE_MS,
  say,
} from './merchant-page.ts';

export function popupScenarios(test: EngineTest): void {
  for (const newTabTarget of ['popup', 'tab']) {
    test(`${newTabTarget}: verify() opens the window in the click, completes by message and closes the window`, async ({
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

  test('popup: the window shows the hosted page after a slow create call', async ({
    tab,
    sites,
  }) => {
    const popup = await open(sites, tab, { hosted: { createDelayMs: 6000 } });
    await say(popup, sites.merchant, 'failed');
    await ended(tab, 'onComplete', 'failed');
  });

  test('popup: closing the window cancels the attempt and navigates the shop to cancelUrl', async ({
    tab,
    sites,
  }) => {
    const popup = await open(sites, tab, {
      options: { cancelUrl: `${sites.merchant}/cancelled?a=%20b` },
    });
    // Without a focus event, the SDK reports a close only if the window was open for a while.
    await sleep(1000);
    await popup.close();
    await eventually.url(tab).toContain('/cancelled?a=%20b&status=cancelled&sessionId=');
  });

  test('popup: the attempt is cancelled when the window closes before the session exists', async ({
    tab,
    sites,
  }) => {
    await tab.goto(sites.page({ hosted: { createDelayMs: 4000 } }));
    const before = sites.counts().posts;
    const popup = await tab.popup(() => tab.click('#verify'));
    await expect.poll(() => sites.counts().posts - before).toBe(1);
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
    // Only a focus event distinguishes a close from COOP, and not every engine sends one. The
    // verification is therefore either cancelled or still pending.
    const first = (await notes(tab)).slice(1);
    expect([[], [['onCancel'], ['resolved', 'cancelled', 'closed']]]).toContainEqual(first);
    const second = await tab.popup(() => tab.click('#verify'));
    if (first.length === 0) await ended(tab, 'rejected', 'superseded', null);
    expect(await notes(tab)).not.toContainEqual(['onError', 'superseded']);
    await second.close();
  });

  test('popup: the SDK accepts a message that is posted just before the window closes', async ({
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

  test('popup: the SDK ignores forged messages', async ({ tab, sites }) => {
    const popup = await open(sites, tab);
    const sessionId = await popup.run(() => new URLSearchParams(location.search).get('sessionId'));
    const spoof = {
      type: 'ofage:verification:complete',
      sessionId,
      status: 'verified',
      timestamp: 1,
    };
    // Sends the right session from the wrong origin, which is that of the merchant's window.
    await tab.run((data) => window.postMessage(data, '*'), spoof);
    // Sends the right session and origin from the wrong window, which is a frame of the hosted site.
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
    // Sends another session from the right window and origin.
    await popup.run(
      ([to, data]) => window.opener.postMessage({ ...(data as object), sessionId: 'another' }, to),
      [sites.merchant, spoof] as const,
    );
    // The time in which a forged message would have had an effect.
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
    await goBack(popup, sites, 'verified');
    await ended(tab, 'resolved', 'verified', null);
    await eventually.closed(popup).toBe(true);
  });

  test('popup: a shopper who passes is not reported as cancelled if returnUrl is on another origin', async ({
    tab,
    sites,
  }) => {
    const options = { returnUrl: `${sites.otherOrigin}/return` };
    const popup = await open(sites, tab, { options });
    await goBack(popup, sites, 'verified', sites.otherOrigin);
    await eventually.text(popup, '#returned').toContain('"verified"');
    await sleep(1000);
    await popup.close();
    // A shopper who closes the window returns to the shop, which not every driver does.
    await tab.run(() => void window.dispatchEvent(new Event('focus')));
    await sleep(PAST_EVERY_GRACE_MS);
    // The hosted page was silent, and the return page cannot report to another origin.
    expect(await notes(tab)).toEqual([['verify']]);
  });

  test('popup: the hosted page of this project reports to a page on another origin than returnUrl', async ({
    tab,
    sites,
  }) => {
    const options = { returnUrl: `${sites.otherOrigin}/return` };
    await tab.goto(sites.page({ options, hosted: { page: 'project' } }));
    const openHostedPage = async (): Promise<Tab> => {
      const popup = await tab.popup(() => tab.click('#verify'));
      const hasStarted = () => document.querySelector('[data-testid=start]') !== null;
      await eventually.run(popup, hasStarted).toBe(true);
      return popup;
    };
    const popup = await openHostedPage();
    const sessionId = new URL(await popup.url()).searchParams.get('sessionId') ?? '';
    await sites.provider.client.settle(sessionId, 'verified');
    await ended(tab, 'resolved', 'verified', null);
    expect(await notes(tab)).not.toContainEqual(['onCancel']);

    const second = await openHostedPage();
    await second.close();
    await ended(tab, 'resolved', 'cancelled', 'closed');
  });

  test("popup: two tabs do not receive each other's messages", async ({ tab, sites }) => {
    const popup = await open(sites, tab);
    const other = await tab.sibling();
    const otherPopup = await open(sites, other);
    await say(otherPopup, sites.merchant, 'failed');
    await ended(other, 'resolved', 'failed', null);
    expect(await notes(tab)).toEqual([['verify']]);
    await say(popup, sites.merchant, 'verified');
    await ended(tab, 'resolved', 'verified', null);
  });

  test('popup: verify() rejects if it is called seven seconds after the click, and creates no session', async ({
    tab,
    sites,
  }) => {
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

  test('popup: the SDK works under a strict CSP with Trusted Types, without violations', async ({
    tab,
    sites,
  }) => {
    const popup = await open(sites, tab, { strictCsp: true });
    await say(popup, sites.merchant, 'verified');
    await ended(tab, 'resolved', 'verified', null);
    expect((await notes(tab)).filter(([what]) => what === 'violation')).toEqual([]);
  });

  for (const [script, details] of [
    // The SDK has to call document.open.
    ['function open() { throw new Error("menu") }', {}],
    ['let open = false; const URL = "https://shop.example/"', ONE_ENGINE],
  ] as const) {
    test(`popup: the window opens from a page with ${script}`, details, async ({ tab, sites }) => {
      const popup = await open(sites, tab, { script });
      await say(popup, sites.merchant, 'verified');
      await ended(tab, 'resolved', 'verified', null);
    });
  }
}
