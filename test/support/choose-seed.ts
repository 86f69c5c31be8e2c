import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';

/**
 * Chooses the seed of a test with random moments: `OFAGE_SEED`, or a new one. If the test fails, prints the
 * seed, so that `OFAGE_SEED=4711 npm run unit -- -- FILE` can choose the same moments again.
 */
export function chooseSeed(): number {
  const seed = Number(process.env['OFAGE_SEED'] ?? randomInt(1_000_000));
  onTestFailed(() => console.error(`To choose the same random moments again: OFAGE_SEED=${seed}`));
  return seed;
}
