import { expect } from '@playwright/test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hosted, Merchant } from '../support/sites.ts';
import {
  ended,
  type EngineTest,
  goBack,
  notes,
  open,
  PAST_EVERY_GRACE_MS,
  say,
} from './merchant-page.ts';

const COOP = [undefined, 'same-origin-allow-popups', 'same-origin', 'noopener-allow-popups'];

export function openerPolicyScenarios(test: EngineTest): void {
  for (const coop of COOP) {
    for (const hostedCoop of COOP) {
      const name = `shop ${coop ?? 'none'}, hosted page ${hostedCoop ?? 'none'}`;
      test(`opener policies, ${name}: the attempt completes without a false cancellation`, async ({
        tab,
        sites,
      }) => {
        const hosted: Hosted = hostedCoop ? { coop: hostedCoop } : {};
        const setup: Merchant = { ...(coop ? { coop } : {}), hosted };
        const popup = await open(sites, tab, setup);
        await sleep(PAST_EVERY_GRACE_MS);
        expect(await notes(tab)).toEqual([['verify']]);
        await say(popup, sites.merchant, 'verified');
        await sleep(300);
        if ((await notes(tab)).length === 1) await goBack(popup, sites, setup, 'verified');
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
