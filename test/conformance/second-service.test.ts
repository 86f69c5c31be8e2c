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
const ids = (results: readonly CheckResult[]): string[] => results.map(({ id }) => id);

/** Returns the parts of a failed check's result that the summary shows. */
function report(results: readonly CheckResult[], id: string) {
  const { sentence, failure } = failed(results).find((result) => result.id === id)!;
  return { sentence, ...failure };
}

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
    const results = await run({ habits: { grantsTwice: true } }, { only: ['validate'] });
    expect(ids(failed(results))).toEqual([
      'validate.twice.verified',
      'validate.twice.failed',
      'validate.twice.cancelled',
      'validate.race',
    ]);
    expect(report(results, 'validate.twice.verified')).toEqual({
      sentence: 'A verified session can be validated only once',
      sent: expect.stringMatching(/^POST \/sessions\/validate, /),
      expected: 'status 400',
      answered: expect.stringMatching(/^200 \{"sessionId":.*"accessGranted":true/),
    });
    expect(report(results, 'validate.race')).toMatchObject({
      sentence: 'A session is validated only once, even if 50 requests arrive at the same time',
      expected: 'one 200 and 49 times 400',
      answered: expect.stringMatching(/^50 times 200/),
    });
  });

  it('fails if it sends no rate-limit headers', async () => {
    const habits = { noRateLimitHeaders: true };
    const results = await run({ habits }, { only: ['limits'] });
    expect(ids(failed(results))).toEqual(
      ids(results).filter((id) => id !== 'limits.session-lifetime'),
    );
    expect(report(results, 'limits.create.headers')).toMatchObject({
      sentence:
        'The headers of a create response contain the limit of 300 requests in 60 seconds and the number of requests left',
      expected: 'the header x-ratelimit-limit: 300',
      answered: 'no header x-ratelimit-limit',
    });
  });
});
