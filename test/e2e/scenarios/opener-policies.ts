import { expect } from '@playwright/test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hosted, Merchant } from '../support/sites.ts';
import {
  ended,
  type EngineTest,
  goBack,
  notes,
  ONE_ENGINE,
  open,
  PAST_EVERY_GRACE_MS,
  say,
} from './merchant-page.ts';

const COOP = ['none', 'same-origin-allow-popups', 'same-origin', 'noopener-allow-popups'];

/** One pair for each way in which the engines treat the window. */
const EVERY_ENGINE = [
  'shop none, hosted page same-origin', // The hosted page severs the window.
  'shop same-origin, hosted page none', // The shop severs it.
  'shop same-origin-allow-popups, hosted page none', // Only WebKit severs it.
  'shop none, hosted page noopener-allow-popups', // Firefox does not know this value.
];

/**
 * Further pairs for Chromium: nothing severs the window, or both pages do, or the shop with the value that
 * Firefox does not know. The SDK sees only whether and when the window is severed, so each of the other nine
 * pairs is like one of these. `npm run test:all` runs all 16 in three engines.
 */
const CHROMIUM = [
  'shop none, hosted page none',
  'shop same-origin, hosted page same-origin',
  'shop noopener-allow-popups, hosted page none',
];

const isChosen = (pair: string): boolean =>
  process.env.OFAGE_CHECKS === 'all' || [...EVERY_ENGINE, ...CHROMIUM].includes(pair);

export function openerPolicyScenarios(test: EngineTest): void {
  for (const coop of COOP) {
    for (const hostedCoop of COOP) {
      const pair = `shop ${coop}, hosted page ${hostedCoop}`;
      if (!isChosen(pair)) continue;
      const name = `opener policies, ${pair}: the attempt completes without a false cancellation`;
      test(name, EVERY_ENGINE.includes(pair) ? {} : ONE_ENGINE, async ({ tab, sites }) => {
        const hosted: Hosted = hostedCoop === 'none' ? {} : { coop: hostedCoop };
        const setup: Merchant = coop === 'none' ? { hosted } : { coop, hosted };
        const popup = await open(sites, tab, setup);
        await sleep(PAST_EVERY_GRACE_MS);
        expect(await notes(tab)).toEqual([['verify']]);
        await say(popup, sites.merchant, 'verified');
        await sleep(300);
        if ((await notes(tab)).length === 1) await goBack(popup, sites, 'verified');
        await ended(tab, 'resolved', 'verified', null);
        expect(await notes(tab)).toEqual([
          ['verify'],
          ['onComplete', 'verified'],
          ['resolved', 'verified', null],
        ]);
      });
    }
  }
}
