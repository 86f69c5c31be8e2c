/** Accessibility checks with axe, and overflow of narrow pages. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that axe does not run here, with the reason. All others run, also those that axe leaves off. */
const OFF = {
  'aria-roledescription': 'deprecated: valid on every element since ARIA 1.3',
  'audio-caption': 'deprecated: axe cannot know whether audio has captions, and no page has audio',
  'color-contrast-enhanced': 'level AAA: the pages promise AA',
  'duplicate-id': 'deprecated: WCAG 2.2 dropped criterion 4.1.1',
  'duplicate-id-active': 'deprecated: WCAG 2.2 dropped criterion 4.1.1',
  'identical-links-same-purpose': 'level AAA: rows of a list have equal links',
  'landmark-complementary-is-top-level': 'deprecated: an aside may be inside main',
  'meta-refresh-no-exceptions': 'level AAA: no page refreshes itself',
  'p-as-heading': 'experimental: takes a bold result, such as "No access", for a heading',
};

/** What a page uses of axe. */
interface Axe {
  getRules(): { ruleId: string }[];
  run(context: Document, options: RunOptions): Promise<AxeResults>;
}

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

/** Returns one line if controls are too small or too close for a finger. */
export const findSmallTargets = (page: Page): Promise<string[]> => runAxe(page, ['target-size']);

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

/** @param rules Only these rules. None means all that are not off. */
async function runAxe(page: Page, rules: readonly string[] = []): Promise<string[]> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE);
  }
  const { violations } = await page.evaluate(
    ([only, off]): Promise<AxeResults> => {
      const { axe } = Object(window) as Window & { axe: Axe };
      const all = axe.getRules().map(({ ruleId }) => ruleId);
      const values = only.length > 0 ? [...only] : all.filter((id) => !off.includes(id));
      return axe.run(document, {
        resultTypes: ['violations'],
        runOnly: { type: 'rule', values },
      });
    },
    [rules, Object.keys(OFF)] as const,
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
  );
}
