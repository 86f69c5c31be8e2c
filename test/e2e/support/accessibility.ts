/** What keeps somebody out of a page, by axe. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One line for each rule that the page breaks, in the light and in the dark. */
export async function findBarriers(page: Page): Promise<string[]> {
  await chooseColors(page, 'light');
  const light = await runAxe(page);
  await chooseColors(page, 'dark');
  // The other scheme has other colours and nothing else.
  return [...light, ...(await runAxe(page, ['color-contrast']))];
}

/** How many pixels wider than the window the page is. */
export const findOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Colours change by a transition, however short: axe must not look in the middle of it. */
async function chooseColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((one) => !(one instanceof CSSTransition) || one.playState === 'finished'),
  );
}

async function runAxe(page: Page, rules: readonly string[] = []): Promise<string[]> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE);
  }
  const { violations } = await page.evaluate(
    (only): Promise<AxeResults> =>
      Object(window).axe.run(document, {
        resultTypes: ['violations'],
        ...(only.length > 0 && { runOnly: { type: 'rule', values: only } }),
      }),
    rules,
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
  );
}
