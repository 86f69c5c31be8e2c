/** Accessibility checks with axe, and overflow of narrow pages. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type ColorScheme = 'light' | 'dark';

export const COLOR_SCHEMES: readonly ColorScheme[] = ['light', 'dark'];

/** Returns one line for each violated rule, in these colour schemes. */
export async function findBarriers(page: Page, schemes = COLOR_SCHEMES): Promise<string[]> {
  const found: string[] = [];
  for (const [index, scheme] of schemes.entries()) {
    await chooseColors(page, scheme);
    // The other scheme differs only in its colours.
    found.push(...(await runAxe(page, index === 0 ? [] : ['color-contrast'])));
  }
  return found;
}

/** Returns by how many pixels the page is wider than the window. */
export const findOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Sets the colour scheme and waits for the colour transitions, because axe must not run during them. */
async function chooseColors(page: Page, colorScheme: ColorScheme): Promise<void> {
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
