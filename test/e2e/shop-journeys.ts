/** Short journeys through the shop, written with the actions of tab.ts so that every engine runs them. */
import type { ScenarioName } from 'ofage-mock';
import { expect, type TestType } from '@playwright/test';
import { isFaceEnoughFor, isLastStep, stepsFor } from '../../playground/verify/steps.ts';
import type { Provider } from './support/provider.ts';
import type { Tab } from './support/tab.ts';

const POLICY = { verificationMode: 'L1', faceMatchEnabled: true } as const;
const id = (testId: string) => `[data-testid=${testId}]`;

/** Polls, because a page that is navigating away cannot respond. */
const attribute = (tab: Tab, testId: string, name: string) =>
  expect.poll(
    () =>
      tab
        .run(([css, attribute]) => document.querySelector(css)?.getAttribute(attribute) ?? null, [
          id(testId),
          name,
        ] as const)
        .catch(String),
    { timeout: 20_000 },
  );

async function openShop(tab: Tab, { shop }: Provider, query: string): Promise<void> {
  await tab.goto(`${shop}/?${query}`);
  await expect
    .poll(
      () => tab.run(() => document.querySelector('#verify-age:enabled') !== null).catch(String),
      { timeout: 20_000 },
    )
    .toBe(true);
}

async function takePictures(tab: Tab, scenario: string): Promise<void> {
  for (const step of stepsFor(POLICY, isFaceEnoughFor(scenario))) {
    const button = `main[data-view=capture][data-step=${step}] ${id('capture')}:enabled`;
    await expect
      .poll(() => tab.run((css) => document.querySelector(css) !== null, button).catch(String), {
        timeout: 20_000,
      })
      .toBe(true);
    // The window may close before the driver confirms the click.
    await tab.click(button).catch(async (error: unknown) => {
      if (!(await tab.isClosed())) throw error;
    });
    if (isLastStep(POLICY, scenario, { step })) return;
  }
}

const setNextOutcome = (provider: Provider, outcome: ScenarioName) =>
  provider.client.queueNextOutcomes(provider.tenantId, [outcome]);

export function shopJourneys(test: TestType<{ tab: Tab; provider: Provider }, object>): void {
  test('shop, popup: a verified customer can place the order', async ({ tab, provider }) => {
    await openShop(tab, provider, 'mode=popup&skipIntro=true&autoReturn=true');
    await tab.click(id('buy'));
    await setNextOutcome(provider, 'verified');
    const popup = await tab.popup(() => tab.click('#verify-age'));
    await takePictures(popup, 'verified');
    await attribute(tab, 'gate', 'data-open').toBe('true');
    await tab.click(id('checkout'));
    await attribute(tab, 'confirmation', 'data-order').toMatch(/^K-/);
  });

  test('shop, redirect: after a failure, the customer returns without access', async ({
    tab,
    provider,
  }) => {
    await openShop(tab, provider, 'mode=redirect&skipIntro=true');
    await setNextOutcome(provider, 'failed_age_not_met');
    await tab.click('#verify-age');
    await takePictures(tab, 'failed_age_not_met');
    await tab.click(`${id('result')} ${id('back')}`);
    await attribute(tab, 'verdict', 'data-kind').toBe('failed');
    await attribute(tab, 'decision', 'data-access').toBe('false');
    await tab.click(id('back-to-shop'));
    await attribute(tab, 'gate', 'data-open').toBe('false');
  });

  test('shop, popup: after a cancellation, the shop reports it and stays closed', async ({
    tab,
    provider,
  }) => {
    await openShop(tab, provider, 'mode=popup');
    const popup = await tab.popup(() => tab.click('#verify-age'));
    await expect
      .poll(() => popup.text(id('start')).catch(String), { timeout: 20_000 })
      .toBe('Start');
    await popup.clickToClose(id('cancel'));
    await attribute(tab, 'notice', 'data-kind').toBe('cancelled');
    await attribute(tab, 'gate', 'data-open').toBe('false');
  });
}
