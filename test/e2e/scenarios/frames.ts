import { expect } from '@playwright/test';
import { eventually, type Tab } from '../support/tab.ts';
import { type EngineTest, type Page, say } from './merchant-page.ts';

/** Opens a page with the merchant's page in a frame. `notes` polls the first three fields of its log. */
async function openFrame(tab: Tab, url: string) {
  await tab.goto(url);
  const frame = await tab.frame('iframe');
  await expect.poll(() => frame.run(() => document.readyState).catch(String)).toBe('complete');
  const read = () =>
    frame.run(() => (window as never as Page).log.map((entry) => entry.slice(0, 3)));
  return { ...frame, read, notes: () => expect.poll(read) };
}

export function frameScenarios(test: EngineTest): void {
  test('popup: in a cross-site frame, verify() resolves with the result', async ({
    tab,
    sites,
  }) => {
    const frame = await openFrame(tab, sites.frame());
    const popup = await tab.popup(() => frame.click('#verify'));
    await eventually.text(popup, '#hosted').toBe('Hosted page');
    await say(popup, sites.merchant, 'verified');
    await frame.notes().toContainEqual(['resolved', 'verified', null]);
  });

  test('popup: in a sandboxed frame without allow-popups, verify() reports popup_blocked', async ({
    tab,
    sites,
  }) => {
    const frame = await openFrame(tab, sites.frame({}, 'allow-scripts'));
    await frame.run(() => (window as never as Page).start());
    await frame.notes().toContainEqual(['onError', 'popup_blocked']);
  });

  test('popup: in a frame without an origin, verify() rejects with popup_blocked (sandboxed)', async ({
    tab,
    sites,
  }) => {
    const frame = await openFrame(tab, sites.frame({}, 'allow-scripts allow-popups'));
    await frame.click('#verify');
    await frame.notes().toContainEqual(['rejected', 'popup_blocked', 'sandboxed']);
  });

  test('popup: in a cross-site frame of a COOP page, verify() rejects with popup_blocked (framed) and creates no session', async ({
    tab,
    sites,
  }) => {
    const frame = await openFrame(tab, sites.frame({}, undefined, 'same-origin'));
    const before = sites.counts().posts;
    const blank = await tab.popup(() => frame.click('#verify'));
    await frame.click('#verify');
    // Each click has its own result, although the first one has opened a blank window.
    const refused = ['rejected', 'popup_blocked', 'framed'];
    await expect
      .poll(async () => (await frame.read()).filter(([what]) => what === 'rejected'))
      .toEqual([refused, refused]);
    expect(sites.counts().posts).toBe(before);
    await blank.close();
  });
}
