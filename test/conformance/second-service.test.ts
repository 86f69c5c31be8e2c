import { conform, type CheckResult, type RunOptions } from 'ofage/conformance';
import { describe, expect, it } from 'vitest';
import { startSecondService } from './second-service.ts';
import type { SecondServiceOptions } from './second-service/state.ts';

/** Runs the checks that the specification demands against a second service. */
async function run(
  serviceOptions: SecondServiceOptions,
  options: Partial<RunOptions> = {},
): Promise<CheckResult[]> {
  const service = await startSecondService(serviceOptions);
  const results = await conform({
    apiBase: service.apiBase,
    // The driver creates a new account for each check.
    secretKey: 'unused',
    publishableKey: 'unused',
    driver: service.driver,
    level: 'must',
    ...options,
  });
  await service.close();
  return results;
}

const failed = (results: readonly CheckResult[]): CheckResult[] =>
  results.filter(({ status }) => status === 'failed');

describe('the second implementation', () => {
  it('fails none of the checks that the specification demands', async () => {
    const results = await run({});
    expect(failed(results)).toEqual([]);
    const skipped = results.filter(({ status }) => status === 'skipped');
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
      new Set([
        // The second implementation has neither pages nor webhooks.
        'needs a Playwright browser (browser)',
        'needs a driver that can configure a webhook endpoint (addEndpoint)',
        'needs a driver that can set the legacy webhook (setLegacyWebhook)',
      ]),
    );
    expect(results.length - skipped.length).toBeGreaterThan(200);
  });
});

describe('an implementation that departs from the specification', () => {
  it('fails if a session can be validated more than once', async () => {
    const failures = failed(await run({ grantsTwice: true }, { only: ['validate'] }));
    expect(failures.map(({ id }) => id)).toEqual([
      'validate.twice.verified',
      'validate.twice.failed',
      'validate.twice.cancelled',
      'validate.race',
    ]);
    expect(failures.at(0)).toMatchObject({
      sentence: 'A verified session can be validated only once',
      failure: {
        sent: expect.stringMatching(/^POST \/sessions\/validate, /),
        expected: 'status 400',
        answered: expect.stringMatching(/^200 \{"sessionId":.*"accessGranted":true/),
      },
    });
    expect(failures.at(-1)?.failure).toMatchObject({
      expected: 'one 200 and 49 times 400',
      answered: expect.stringMatching(/^50 times 200/),
    });
  });
});
