/**
 * Measures how soon the pages can be used over a slow connection: the static playground from a host that
 * compresses nothing, and the pages of the mock.
 */
import { type CDPSession, chromium, type Page } from '@playwright/test';
import config from '../test/e2e/playwright.config.ts';
import { startProvider } from '../test/e2e/support/provider.ts';
import { startStaticSite } from '../test/e2e/support/static-site.ts';
import { median, printTable } from './statistics.ts';

const ROUNDS = 3;
const KILOBITS = [400, 1600];
/** Round-trip time. */
const LATENCY_MS = 40;

interface Target {
  readonly name: string;
  readonly url: string;
  /** A CSS selector that matches once the page can be used. */
  readonly usable: string;
}

interface Load {
  readonly paintMs: number;
  readonly usableMs: number;
  readonly bytes: number;
}

export async function run(): Promise<void> {
  const site = await startStaticSite();
  const provider = await startProvider();
  const shop = '[data-testid=verify-age]:enabled';
  const targets: Target[] = [
    { name: 'static shop', url: site.url, usable: shop },
    { name: 'static console', url: `${site.url}console/`, usable: 'main h1' },
    { name: 'shop of the mock', url: `${provider.shop}/`, usable: shop },
    { name: 'console of the mock', url: `${provider.shop}/console/`, usable: 'main h1' },
  ];
  for (const kilobits of KILOBITS) {
    const rows: string[][] = [];
    for (const target of targets) rows.push(await measure(target, kilobits));
    printTable(`First load at ${kilobits} kb/s`, [
      ['', 'first paint', 'usable', 'kB sent'],
      ...rows,
    ]);
  }
  await provider.stop();
  site.stop();
}

async function measure(target: Target, kilobits: number): Promise<string[]> {
  const loads: Load[] = [];
  for (let round = 0; round < ROUNDS; round += 1) loads.push(await load(target, kilobits));
  const seconds = (of: (load: Load) => number): string =>
    `${(median(loads.map(of)) / 1000).toFixed(1)} s`;
  return [
    target.name,
    seconds(({ paintMs }) => paintMs),
    seconds(({ usableMs }) => usableMs),
    String(Math.round(median(loads.map(({ bytes }) => bytes)) / 1000)),
  ];
}

/** Loads the page in a new browser, because a browser with a cache or a service worker is faster. */
async function load({ url, usable }: Target, kilobits: number): Promise<Load> {
  const use = config.projects?.find(({ name }) => name === 'chromium')?.use;
  const browser = await chromium.launch(use?.launchOptions);
  try {
    const page = await browser.newPage();
    const network = await throttle(page, kilobits);
    let bytes = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    const startedAtMs = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator(usable).first().waitFor({ timeout: 120_000 });
    const usableMs = performance.now() - startedAtMs;
    const paintMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    );
    return { paintMs, usableMs, bytes };
  } finally {
    await browser.close();
  }
}

async function throttle(page: Page, kilobits: number): Promise<CDPSession> {
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const bytesPerSecond = (kilobits * 1000) / 8;
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  return network;
}
