/**
 * Every state of every page passes axe and fits a phone, and none of its buttons loses the focus when it is
 * pressed by keyboard. The texts of the hosted page are translated. `npm test` alternates between the colour
 * schemes, and presses the buttons that no earlier state of the test has. `npm run test:all` checks each
 * state in both schemes, and presses all of its buttons.
 */
import { expect, type Page } from '@playwright/test';
import {
  COLOR_SCHEMES,
  findBarriers,
  findOverflow,
  findSmallTargets,
} from './support/accessibility.ts';
import { type PageName, SHARES, type State } from './support/all-states.ts';
import { pressAll } from './support/press-all.ts';
import { startProvider, type Provider } from './support/provider.ts';
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

/** The buttons of the bar, which `console-buttons.spec.ts` presses. */
const BAR = ['clock-toggle', 'state'];

const isWhole = process.env.OFAGE_CHECKS === 'all';

for (const { of, states, names } of SHARES) {
  test(`every state of the ${of} is accessible, fits a phone and keeps the focus: ${names}`, async ({
    page,
  }) => {
    // Eight states, and every button of each: a quarter of a minute, or two on a busy machine.
    test.setTimeout(240_000);
    // A separate provider, because some states move the clock.
    const provider = await startProvider();
    let pressed = new Set(BAR);
    try {
      for (const [index, state] of states.entries()) {
        if (isWhole) pressed = new Set(BAR);
        const { name, reach } = of === 'hosted page' ? inPseudoLanguage(state) : state;
        await test.step(name, async () => {
          await page.setViewportSize(WINDOWS[of]);
          await openAgain(page, of, provider, reach);
          // Axe does not look into a closed panel.
          await page.locator('details.panel:not([open]) > summary').evaluateAll((closed) => {
            for (const summary of closed as HTMLElement[]) summary.click();
          });
          const schemes = chooseSchemes(index);
          expect.soft(await findBarriers(page, schemes), `${name} is accessible`).toEqual([]);
          await page.setViewportSize(PHONE);
          expect.soft(await findOverflow(page), `${name} fits`).toBeLessThanOrEqual(0);
          expect.soft(await findSmallTargets(page), `${name} fits fingers`).toEqual([]);
          await page.setViewportSize(DESKTOP);
          await pressAll(page.locator('body'), {
            pressed,
            url: 'http://127.0.0.1:9/hooks',
            reopen: () => openAgain(page, of, provider, state.reach),
          });
        });
      }
    } finally {
      await provider.stop();
    }
  });
}

/** Brings the page to a state, after the buttons of another one were pressed. */
async function openAgain(
  page: Page,
  of: PageName,
  provider: Provider,
  reach: State['reach'],
): Promise<void> {
  // Buttons may have opened windows.
  for (const other of page.context().pages()) if (other !== page) await other.close();
  expect(page.isClosed()).toBe(false);
  // The page may be about to leave by itself, or may just have left.
  await page.evaluate(() => window.stop()).catch(() => page.waitForLoadState());
  // A timer of the hosted page may interrupt the first navigation, but not the second. The shop's states
  // must find their page, whose storage they clear.
  if (of === 'hosted page') await page.goto('about:blank').catch(() => page.goto('about:blank'));
  await provider.client.reset();
  await reach(page, provider);
}

const chooseSchemes = (index: number) =>
  isWhole ? COLOR_SCHEMES : COLOR_SCHEMES.slice(index % 2, (index % 2) + 1);

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
