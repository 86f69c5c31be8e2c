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
  'expiresAt counted from the completion',
  'one override of a secret key replaces the whole policy',
];

/** Services whose mistake only a page shows. `callback.query` fails for them if the kit has a browser. */
const NEEDS_BROWSER = ['only the last of equal query parameters is kept'];

const services = BROKEN_SERVICES.filter(({ name }) =>
  process.env.OFAGE_CHECKS === 'all' ? !NEEDS_BROWSER.includes(name) : CHOSEN.includes(name),
);

const CORRECT = { name: 'correct', breaks: 'nothing' };

describe('a check fails for the broken service', () => {
  it.each(services)('$name: $breaks', { timeout: 300_000 }, async (broken) => {
    expect(await findFailure(broken)).toMatchObject({ status: 'failed' });
  });

  // Otherwise, a failure would not prove that the check noticed the broken rule.
  it('and no check fails for the correct service', { timeout: 300_000 }, async () => {
    expect(await findFailure(CORRECT)).toBeUndefined();
  });

  it('names only services that exist', () => {
    const names = BROKEN_SERVICES.map(({ name }) => name);
    expect([...CHOSEN, ...NEEDS_BROWSER].filter((name) => !names.includes(name))).toEqual([]);
  });
});
