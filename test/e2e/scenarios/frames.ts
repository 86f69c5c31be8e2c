import { expect } from '@playwright/test';
import { eventually } from '../support/tab.ts';
import { type EngineTest, type Page, say } from './merchant-page.ts';

export function frameScenarios(test: EngineTest): void {
  test('popup: in a cross-site frame, verify() resolves with the result', async ({
    tab,
    sites,
  }) => {
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

  test('popup: in a sandboxed frame without allow-popups, verify() reports popup_blocked', async ({
    tab,
    sites,
  }) => {
    await tab.goto(sites.frame({}, 'allow-scripts'));
    const frame = await tab.frame('iframe');
    await expect.poll(() => frame.run(() => document.readyState).catch(String)).toBe('complete');
    await frame.run(() => (window as never as Page).start());
    await expect
      .poll(() => frame.run(() => (window as never as Page).log.map((entry) => entry.slice(0, 2))))
      .toContainEqual(['onError', 'popup_blocked']);
  });

  test('popup: in a frame without an origin, verify() rejects with popup_blocked (sandboxed)', async ({
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

  test('popup: in a cross-site frame of a COOP page, verify() rejects with popup_blocked (framed) and creates no session', async ({
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
}
