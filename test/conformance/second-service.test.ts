import { conform } from 'ofage-mock/conformance';
import { expect, it } from 'vitest';
import { createSecondService } from './second-service.ts';

it('a second implementation fails none of the checks that the specification demands', async () => {
  const results = await conform({
    ...createSecondService(),
    // The driver creates a new account for each check.
    secretKey: 'unused',
    publishableKey: 'unused',
    level: 'must',
  });
  expect(results.filter(({ status }) => status === 'failed')).toEqual([]);
  const skipped = results.filter(({ status }) => status === 'skipped');
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
    new Set([
      // The second implementation has neither pages nor webhooks.
      'needs a Playwright browser (browser)',
      'needs a driver that can configure a webhook endpoint (addEndpoint)',
      'needs a driver that can set the legacy webhook (setLegacyWebhook)',
    ]),
  );
  expect(results.length - skipped.length).toBeGreaterThan(80);
});
