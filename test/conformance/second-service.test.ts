import { conform, type CheckResult, type Level } from 'ofage/conformance';
import { describe, expect, it } from 'vitest';
import { createSecondDriver } from './second-driver.ts';
import { startSecondService, type SecondServiceOptions } from './second-service.ts';

/** Runs the kit against a second service of its own. */
async function run(options: SecondServiceOptions, level: Level = 'must'): Promise<CheckResult[]> {
  const service = await startSecondService({ allowLoopback: true, ...options });
  const results = await conform({
    apiBase: service.apiBase,
    secretKey: 'unused',
    publishableKey: 'unused',
    driver: createSecondDriver(service),
    level,
  });
  await service.close();
  return results;
}

const toFinding = ({ id, sentence, failure, reason }: CheckResult) => ({
  id,
  sentence,
  ...failure,
  reason,
});

describe('the second implementation', () => {
  it('passes every check that the specification demands', async () => {
    const results = await run({});
    expect(results.filter(({ status }) => status === 'failed').map(toFinding)).toEqual([]);
    // Everything else was run.
    const skipped = results.filter(({ status }) => status === 'skipped');
    expect(skipped.map(toFinding)).toEqual([]);
  });
});
