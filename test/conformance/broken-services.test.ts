import { describe, expect, it } from 'vitest';
import { BROKEN_SERVICES, type BrokenService } from './broken-services/index.ts';
import { runAgainst } from './run-against.ts';

/** Services whose mistake only a page shows. `callback.query` fails for them if the kit has a browser. */
const NEEDS_BROWSER = ['only the last of equal query parameters is kept'];

const CORRECT: BrokenService = { name: 'correct', noticedBy: [], breaks: 'nothing' };

const all = (ids: readonly string[], status: string): object =>
  Object.fromEntries(ids.map((id) => [id, status]));

describe('the checks that must notice it fail for the broken service', () => {
  it.each(BROKEN_SERVICES)('$name: $breaks', async (broken) => {
    const { noticedBy } = broken;
    expect(await runAgainst(broken, noticedBy)).toEqual(all(noticedBy, 'failed'));
  });

  // Otherwise, a failure would not prove that the check noticed the broken rule.
  it('and pass for the correct service', async () => {
    const ids = [...new Set(BROKEN_SERVICES.flatMap(({ noticedBy }) => noticedBy))];
    expect(await runAgainst(CORRECT, ids)).toEqual(all(ids, 'passed'));
  });

  it('and exist for each of them', () => {
    const unnoticed = BROKEN_SERVICES.filter(({ noticedBy }) => noticedBy.length === 0);
    expect(unnoticed.map(({ name }) => name)).toEqual(NEEDS_BROWSER);
  });
});
