/**
 * Every state of every page passes axe and fits a phone. The texts of the hosted page are translated.
 * `npm test` alternates between the colour schemes, and `npm run test:all` checks each state in both.
 */
import { expect, type Page } from '@playwright/test';
import {
  COLOR_SCHEMES,
  findBarriers,
  findOverflow,
  findSmallTargets,
} from './support/accessibility.ts';
import { type PageName, SHARES, type State } from './support/all-states.ts';
import { startProvider } from './support/provider.ts';
import { test } from './support/test.ts';

const PHONE = { width: 320, height: 640 };
const DESKTOP = { width: 1280, height: 900 };

/** The windows in which axe checks the pages. */
const WINDOWS: Readonly<Record<PageName, typeof PHONE>> = {
  shop: PHONE,
  // 320 px correspond to a small window at 200 % zoom. The texts of the pseudo-language are a third longer.
  'hosted page': PHONE,
  console: DESKTOP,
  labs: DESKTOP,
};

for (const { of, states, names } of SHARES) {
  test(`every state of the ${of} is accessible and no wider than a phone: ${names}`, async ({
    page,
  }) => {
    test.slow();
    // A separate provider, because some states move the clock.
    const provider = await startProvider();
    try {
      for (const [index, state] of states.entries()) {
        const { name, reach } = of === 'hosted page' ? inPseudoLanguage(state) : state;
        await test.step(name, async () => {
          await page.setViewportSize(WINDOWS[of]);
          await reach(page, provider);
          // Axe does not look into a closed panel.
          await page.locator('details.panel:not([open]) > summary').evaluateAll((closed) => {
            for (const summary of closed as HTMLElement[]) summary.click();
          });
          expect
            .soft(await findBarriers(page, chooseSchemes(index)), `${name} is accessible`)
            .toEqual([]);
          await page.setViewportSize(PHONE);
          expect.soft(await findOverflow(page), `${name} fits`).toBeLessThanOrEqual(0);
          expect.soft(await findSmallTargets(page), `${name} fits fingers`).toEqual([]);
        });
      }
    } finally {
      await provider.stop();
    }
  });
}

const chooseSchemes = (index: number) =>
  process.env.OFAGE_CHECKS === 'all'
    ? COLOR_SCHEMES
    : COLOR_SCHEMES.slice(index % 2, (index % 2) + 1);

function inPseudoLanguage({ name, reach }: State): State {
  return {
    name,
    async reach(page, provider) {
      await reach(page, provider, 'lang=x-pseudo');
      expect.soft(await findUntranslated(page), `${name} is translated`).toEqual([]);
    },
  };
}

/** Returns the texts without translation, which lack the brackets of the pseudo-language. */
const findUntranslated = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts: string[] = [document.title.replace(/ · OfAge$/, '')];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (element?.closest('[translate=no], noscript, script, style')) continue;
      // A text that contains a link, or a button in its middle, is one message.
      const hasLink = element?.querySelector(':scope > a, :scope > .text-link') ?? null;
      texts.push((hasLink ? element : walker.currentNode)?.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [alt], [title]')) {
      for (const name of ['aria-label', 'alt', 'title']) {
        texts.push(element.getAttribute(name) ?? '');
      }
    }
    return texts.map((text) => text.trim()).filter((text) => !/^(⟦[^]*⟧)?$/.test(text));
  });
