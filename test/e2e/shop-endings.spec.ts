import { expect } from '@playwright/test';
import { closeResult, takePictures } from './support/hosted-page.ts';
import { type Provider } from './support/provider.ts';
import { enterShop, notice, openCheck, setNextOutcome } from './support/shop-states.ts';
import { test } from './support/test.ts';

/** The result of each scenario in the shop, except for those that journey.spec.ts tests. */
const ENDINGS = [
  { scenario: 'verified_after_id', kind: 'open', validate: 'used' },
  { scenario: 'failed_image_quality', kind: 'failed', validate: 'used' },
  { scenario: 'failed_document_rejected', kind: 'failed', validate: 'used' },
  { scenario: 'failed_face_mismatch', kind: 'failed', validate: 'used' },
  { scenario: 'timeout', kind: 'expired', validate: 'expired' },
  { scenario: 'never', kind: 'open-ended', validate: 'pending' },
] as const;

const IN_JOURNEY = ['verified', 'failed_age_not_met', 'cancelled'];

test('the tests cover every scenario of the catalogue', async ({ provider }) => {
  const scenarios = await provider.client.scenarios();
  const tested = [...ENDINGS.map(({ scenario }) => scenario), ...IN_JOURNEY];
  expect(scenarios.map(({ name }) => name).sort()).toEqual(tested.sort());
});

async function validate(provider: Provider, sessionId: string): Promise<string> {
  const response = await fetch(`${provider.apiBase}/sessions/validate`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${provider.secretKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ sessionId }),
  });
  const { status, message } = (await response.json()) as Record<string, unknown>;
  if (response.ok) return String(status);
  return /expired/.test(String(message)) ? 'expired' : /used/.test(String(message)) ? 'used' : '';
}

for (const mode of ['popup', 'tab', 'redirect', 'server']) {
  test(`${mode}: each scenario that journey.spec.ts does not test has the expected result in the shop and in validate`, async ({
    page,
    provider,
  }) => {
    test.slow();
    for (const { scenario, kind, validate: expected } of ENDINGS) {
      await test.step(scenario, async () => {
        await enterShop(page, provider, `mode=${mode}&skipIntro=true&autoReturn=true`);
        await setNextOutcome(provider, scenario);
        const isWindow = mode === 'popup' || mode === 'tab';
        const hosted = isWindow ? await openCheck(page) : page;
        if (!isWindow) await page.getByTestId('verify-age').click();
        await hosted.waitForURL(/\/verify\//);
        const sessionId = new URL(hosted.url()).searchParams.get('sessionId') ?? '';
        await takePictures(hosted, scenario);
        if (isWindow && kind === 'failed') await closeResult(hosted);
        if (scenario === 'timeout') {
          await expect(hosted.getByTestId('notice')).toHaveAttribute('data-kind', 'expired');
        }
        if (kind === 'open-ended') {
          const { status } = await provider.client.session(sessionId);
          expect(status).toBe('pending');
          if (isWindow) await notice(page, 'waiting');
        } else if (isWindow) await notice(page, kind);
        else if (kind === 'expired') {
          await page.goto(`${provider.shop}/`);
          await notice(page, 'expired');
        } else {
          if (kind === 'failed') await page.getByTestId('back').click();
          await expect(page.getByTestId('verdict')).toHaveAttribute('data-kind', kind);
        }
        // Waits until the shop's server has validated, because the page shows the SDK's result before that.
        if (expected === 'used') await expect(page.getByTestId('decision')).toBeAttached();
        // A session that the shop has not consumed returns its status. A consumed one is refused.
        expect(await validate(provider, sessionId)).toBe(expected);
      });
    }
  });
}
