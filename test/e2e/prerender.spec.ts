/**
 * An age gate that calls verify() when it loads, and a page whose speculation rules let Chromium prerender it.
 * The browser runs without a driver, because Playwright's Chromium prerenders nothing.
 */
import { expect } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBrowser } from './focus/browsers.ts';
import { startSites, type Sites } from './support/sites.ts';
import { test } from './support/test.ts';

let sites: Sites;
test.beforeAll(async () => {
  sites = await startSites();
});
test.afterAll(() => sites.stop());

/** Prerenders a page. Once it has called verify(), runs `next` with its log. */
const prerender = (url: string, next: string): string => `
  const rules = document.createElement('script');
  rules.type = 'speculationrules';
  rules.text = JSON.stringify({
    prerender: [{ source: 'list', urls: [${JSON.stringify(url)}], eagerness: 'immediate' }],
  });
  document.head.append(rules);
  localStorage.clear();
  // The prerendered page shares the storage of this one.
  const timer = setInterval(() => {
    const log = localStorage.getItem('log') || '';
    if (!log.includes('"verify"')) return;
    clearInterval(timer);
    setTimeout(() => { ${next} }, 1500);
  }, 100);`;

/** Opens the page in a browser until the condition holds. */
async function visit(script: string, isOver: () => boolean): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'prerender-'));
  const browser = await startBrowser(
    'chromium',
    { env: process.env, home },
    sites.page({ script }),
    ['--headless=new'],
  );
  try {
    await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
  } finally {
    await browser.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

const wasPrerendered = (gate: string): boolean =>
  sites.pageViews().some(({ url, purpose }) => url.href === gate && /prerender/.test(`${purpose}`));

test('redirect: a prerendered age gate creates one session, when the shopper opens it', async () => {
  const gate = sites.page({ options: { mode: 'redirect' }, startsOnLoad: true });
  const before = sites.counts();
  const next = `location.assign(${JSON.stringify(gate)});`;
  await visit(prerender(gate, next), () => sites.counts().visits > before.visits);
  expect(wasPrerendered(gate)).toBe(true);
  expect(sites.counts().posts - before.posts).toBe(1);
});

test('new-tab: a prerendered age gate rejects, and creates no session', async () => {
  const gate = sites.page({ startsOnLoad: true });
  const before = sites.counts();
  const next = `location.assign('/return?log=' + encodeURIComponent(JSON.stringify({ ...localStorage })));`;
  const findReport = (): URL | undefined =>
    sites.pageViews().find(({ url }) => url.searchParams.has('log'))?.url;
  await visit(prerender(gate, next), () => findReport() !== undefined);
  expect(wasPrerendered(gate)).toBe(true);
  const { log, ...attempts } = JSON.parse(findReport()!.searchParams.get('log')!) as {
    log: string;
  };
  expect(JSON.parse(log)).toContainEqual(
    expect.arrayContaining(['rejected', 'popup_blocked', 'no_user_gesture']),
  );
  expect(attempts).toEqual({});
  expect(sites.counts().posts).toBe(before.posts);
});
