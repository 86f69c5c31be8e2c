import { expect, type TestType } from '@playwright/test';
import type { Merchant, Sites } from '../support/sites.ts';
import { eventually, type Tab } from '../support/tab.ts';

/** The test function of an engine, with a tab and the sites of support/sites.ts. */
export type EngineTest = TestType<{ tab: Tab; sites: Sites }, object>;

/**
 * Marks a scenario in which the engines cannot differ, because it depends only on the code of the SDK.
 * `npm test` runs it in Chromium. The parts `windows-…` of `npm run test:all` run it in the other engines.
 */
export const ONE_ENGINE = { tag: '@one-engine' };

/** The globals of the merchant and hosted pages of support/sites.ts. */
export interface Page {
  log: unknown[][];
  start(call?: object): void;
  say(to: string, status: string, more?: object): void;
  goBack(url: string, status: string): void;
  sessionId: string;
  spoof: object;
}

/**
 * A wait that is longer than every grace period of the SDK. If a verification is still pending this long
 * after its window appeared closed, the SDK never cancels it.
 */
export const PAST_EVERY_GRACE_MS = 6500;

export const entries = (tab: Tab): Promise<unknown[][]> =>
  tab.run(() => (window as never as Page).log);

/**
 * Returns the page's log without `pageshow` entries. Keeps three fields of each entry, which drops the result
 * of `resolved` and the message of `rejected`.
 */
export async function notes(tab: Tab): Promise<unknown[][]> {
  return (await entries(tab))
    .filter(([what]) => what !== 'pageshow')
    .map((entry) => entry.slice(0, 3));
}

export const ended = (tab: Tab, ...entry: unknown[]): Promise<void> =>
  expect.poll(() => notes(tab).catch(String), { timeout: 20_000 }).toContainEqual(entry);

export async function open(sites: Sites, tab: Tab, setup: Merchant = {}): Promise<Tab> {
  await tab.goto(sites.page(setup));
  const popup = await tab.popup(() => tab.click('#verify'));
  await eventually.url(popup).toContain('/hosted?');
  await eventually.text(popup, '#hosted').toBe('Hosted page');
  return popup;
}

export const say = (popup: Tab, to: string, status: string): Promise<void> =>
  popup.run(([origin, outcome]) => (window as never as Page).say(origin!, outcome!), [to, status]);

/** Navigates the window to the return page, which is on the shop's origin unless another one is given. */
export const goBack = async (
  popup: Tab,
  sites: Sites,
  status: string,
  origin = sites.merchant,
): Promise<void> => {
  const url = `${origin}/return?keep=a%20b`;
  // The page may have navigated before the response to this command arrives.
  await popup
    .run(
      ([to, outcome]) => void setTimeout(() => (window as never as Page).goBack(to!, outcome!), 50),
      [url, status],
    )
    .catch(() => {});
};
