import { expect, type Page } from '@playwright/test';
import { findBarriers, findOverflow } from './support/accessibility.ts';
import { hostedStates } from './support/hosted-states.ts';
import { test } from './support/test.ts';

/** Returns the texts without translation, which lack the brackets of the pseudo-language. */
const untranslated = (page: Page): Promise<string[]> =>
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

// A few states per test. Each state takes a second or two, and the tests run in parallel.
const SHARE = 8;

for (let from = 0; from < hostedStates.length; from += SHARE) {
  const share = hostedStates.slice(from, from + SHARE);
  const names = `${share[0]?.name} to ${share.at(-1)?.name}`;
  test(`every state of the hosted page is accessible, translated and no wider than a phone: ${names}`, async ({
    page,
    provider,
  }) => {
    test.slow();
    // 320 px correspond to a small window at 200 % zoom. The texts of the pseudo-language are a third longer.
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const { name, reach } of share) {
      await test.step(name, async () => {
        await reach(page, provider, 'lang=x-pseudo');
        expect.soft(await untranslated(page), `${name} is translated`).toEqual([]);
        expect.soft(await findOverflow(page), `${name} fits`).toBeLessThanOrEqual(0);
        expect.soft(await findBarriers(page), `${name} is accessible`).toEqual([]);
      });
    }
  });
}
