import { expect } from '@playwright/test';
import { closeResult, takePictures } from './support/hosted-page.ts';
import { enterShop, notice, openCheck, setNextOutcome } from './support/shop-states.ts';
import { test } from './support/test.ts';

/** The result of each scenario in the shop, except for those of shop.spec.ts. */
const ENDINGS = [
  { scenario: 'verified_after_id', kind: 'open', status: 'verified', isValidated: true },
  { scenario: 'failed_image_quality', kind: 'failed', status: 'failed', isValidated: true },
  { scenario: 'failed_document_rejected', kind: 'failed', status: 'failed', isValidated: true },
  { scenario: 'failed_face_mismatch', kind: 'failed', status: 'failed', isValidated: true },
  { scenario: 'timeout', kind: 'expired', status: 'expired', isValidated: false },
  { scenario: 'never', kind: 'waiting', status: 'pending', isValidated: false },
] as const;

const IN_TASKS = ['verified', 'failed_age_not_met', 'cancelled'];

test('the tests cover every scenario of the catalogue', async ({ provider }) => {
  const scenarios = await provider.client.scenarios();
  const tested = [...ENDINGS.map(({ scenario }) => scenario), ...IN_TASKS];
  expect(scenarios.map(({ name }) => name).sort()).toEqual(tested.sort());
});

for (const { scenario, kind, status, isValidated } of ENDINGS) {
  test(`after the scenario ${scenario}, the shop shows "${kind}" and the session is ${status}`, async ({
    page,
    provider,
  }) => {
    await enterShop(page, provider, 'mode=popup&skipIntro=true&autoReturn=true');
    await setNextOutcome(provider, scenario);
    const popup = await openCheck(page);
    await popup.waitForURL(/\/verify\//);
    const sessionId = new URL(popup.url()).searchParams.get('sessionId') ?? '';
    await takePictures(popup, scenario);
    if (kind === 'failed') await closeResult(popup);
    if (kind === 'expired') {
      await expect(popup.getByTestId('notice')).toHaveAttribute('data-kind', kind);
    }
    await notice(page, kind);
    // The shop's server validates a result, but not a session that has none.
    await expect
      .poll(() => provider.client.session(sessionId))
      .toMatchObject({ status, validatedAt: isValidated ? expect.any(String) : null });
  });
}
