import { describe, expect, it } from 'vitest';
import { BROKEN_SERVICES } from './broken-services/index.ts';
import { findFailure } from './find-failure.ts';

/** One for each group of rules. `npm run test:all` runs all of them. */
const CHOSEN = [
  'x-api-key only on create',
  'malformed JSON answered with HTML',
  'a browser may raise the age',
  'every host that begins with localhost',
  'a late cancellation replaces the result',
  'a signature without a secret',
  'an attempt times out after 10 seconds',
  'pairId stored but not applied',
];

const services =
  process.env.OFAGE_CHECKS === 'all'
    ? BROKEN_SERVICES
    : BROKEN_SERVICES.filter(({ name }) => CHOSEN.includes(name));

describe('a check fails for the broken service', () => {
  it.each(services)('$name: $breaks', { timeout: 300_000 }, async (broken) => {
    expect(await findFailure(broken)).toMatchObject({ status: 'failed' });
  });

  it('names only services that exist', () => {
    const names = BROKEN_SERVICES.map(({ name }) => name);
    expect(CHOSEN.filter((name) => !names.includes(name))).toEqual([]);
  });
});
