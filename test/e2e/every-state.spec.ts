/**
 * Every state of every page passes axe and fits a phone. The texts of the hosted page are translated.
 * `npm test` alternates between the colour schemes, and `npm run test:all` checks each state in both.
 */
import { expect, type Page } from '@playwright/test';
import { COLOR_SCHEMES, findBarriers, findOverflow } from './support/accessibility.ts';
import { consoleStates } from './support/console-states.ts';
import { hostedStates } from './support/hosted-states.ts';
import { labsStates } from './support/labs-states.ts';
import { startProvider, type Provider } from './support/provider.ts';
import { shopStates } from './support/shop-states.ts';
import { test } from './support/test.ts';

interface State {
  readonly name: string;
  reach(page: Page, provider: Provider): Promise<void>;
}

const PHONE = { width: 320, height: 640 };
const DESKTOP = { width: 1280, height: 900 };

/** The pages, each with the window in which axe checks it. */
const PAGES: readonly { of: string; states: readonly State[]; window: typeof PHONE }[] = [
  { of: 'the shop', states: shopStates, window: PHONE },
  // 320 px correspond to a small window at 200 % zoom. The texts of the pseudo-language are a third longer.
  { of: 'the hosted page', states: hostedStates.map(inPseudoLanguage), window: PHONE },
  { of: 'the console', states: consoleStates, window: DESKTOP },
  { of: 'the labs', states: labsStates, window: DESKTOP },
];

// A few states per test. Each state takes a second or two, and the tests run in parallel.
const SHARE = 8;

for (const { of, states, window } of PAGES) {
  for (let from = 0; from < states.length; from += SHARE) {
    const share = states.slice(from, from + SHARE);
    const names = `"${share[0]?.name}" to "${share.at(-1)?.name}"`;
    test(`every state of ${of} is accessible and no wider than a phone: ${names}`, async ({
      page,
    }) => {
      test.slow();
      // A separate provider, because some states move the clock.
      const provider = await startProvider();
      try {
        for (const [index, { name, reach }] of share.entries()) {
          await test.step(name, async () => {
            await page.setViewportSize(window);
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
          });
        }
      } finally {
        await provider.stop();
      }
    });
  }
}

const chooseSchemes = (index: number) =>
  process.env.OFAGE_CHECKS === 'all'
    ? COLOR_SCHEMES
    : COLOR_SCHEMES.slice(index % 2, (index % 2) + 1);

function inPseudoLanguage({ name, reach }: (typeof hostedStates)[number]): State {
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
      // A text that contains a link is one message.
      const hasLink = element?.querySelector(':scope > a') ?? null;
      texts.push((hasLink ? element : walker.currentNode)?.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [alt], [title]')) {
      for (const name of ['aria-label', 'alt', 'title']) {
        texts.push(element.getAttribute(name) ?? '');
      }
    }
    return texts.map((text) => text.trim()).filter((text) => !/^(⟦[^]*⟧)?$/.test(text));
  });
