// Takes the picture of the README from the built pages: the shop, and in front of it the check. It is part of
// npm run docs and not of npm test, because a check changes no file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium } from '../../scripts/browsers.mjs';
import { DOCS, ROOT } from './paths.mjs';

const FILE = join(DOCS, 'images/shop-and-check.png');

/** The part of the pixels that may differ before the file is replaced. The time in the picture always differs. */
const TOLERANCE = 0.005;

/** Renews the picture if the pages look different. Without a browser, it keeps the old one and says so. */
async function renewReadmePicture() {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    console.warn(`There is no Chromium on PATH, so ${FILE} was not renewed`);
    return;
  }
  const { chromium } = await import('@playwright/test');
  const mock = await startMock();
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage({
      viewport: { width: 1366, height: 768 },
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    const picture = await takePicture(page, mock.shop);
    if (await looksDifferent(page, picture)) writeFileSync(FILE, picture);
  } finally {
    await browser.close();
    mock.stop();
  }
}

async function startMock() {
  const command = join(ROOT, 'mock-server/dist/ofage-mock.js');
  const options = ['--demo', '--port', '0', '--ephemeral', '--seed', '7', '--json'];
  const child = spawn(process.execPath, [command, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`Cannot take the picture of the README: ofage-mock ended with code ${code}`);
  });
  ended.catch(() => {}); // the mock also ends when it is stopped
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended,
  ]);
  return { shop: JSON.parse(line).shop, stop: () => child.kill('SIGTERM') };
}

async function takePicture(page, shop) {
  await page.goto(shop);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Verify my age' }).first().click(),
  ]);
  await popup.setViewportSize({ width: 480, height: 720 });
  await popup.getByTestId('start').waitFor();
  await popup.evaluate(() => globalThis.document.fonts.ready);
  const [behind, check] = [await page.screenshot(), await popup.screenshot()];
  await page.setContent(`<body style="margin: 0; height: 100vh; background: url(${toUrl(behind)})">
    <img src="${toUrl(check)}" alt="" style="position: absolute; right: 60px; top: 34px; height: 700px;
      border-radius: 8px; box-shadow: 0 12px 48px #0008">`);
  await page.locator('img').evaluate((image) => image.decode());
  return page.screenshot();
}

async function looksDifferent(page, picture) {
  if (!existsSync(FILE)) return true;
  const pair = [toUrl(readFileSync(FILE)), toUrl(picture)];
  return (await page.evaluate(findDifference, pair)) > TOLERANCE;
}

/** Runs in the browser: returns the part of the pixels that differ visibly between two pictures. */
async function findDifference(urls) {
  const [before, after] = await Promise.all(
    urls.map(async (url) => {
      const image = new globalThis.Image();
      image.src = url;
      await image.decode();
      const canvas = new globalThis.OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    }),
  );
  if (before.length !== after.length) return 1;
  let differing = 0;
  for (let at = 0; at < before.length; at += 4) {
    const isSame = [0, 1, 2].every((part) => Math.abs(before[at + part] - after[at + part]) < 32);
    if (!isSame) differing += 1;
  }
  return differing / (before.length / 4);
}

const toUrl = (picture) => `data:image/png;base64,${picture.toString('base64')}`;

await renewReadmePicture();
