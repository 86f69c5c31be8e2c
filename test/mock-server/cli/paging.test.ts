import { expect, it } from 'vitest';
import { listNewest, PAGE } from '../../../mock-server/cli/paging.ts';

const NEWEST = 2 * PAGE;
const COUNT = PAGE + 1;
const ids = (from: number): string[] => Array.from({ length: COUNT }, (_, n) => `${from + n}`);

it.each([
  ['newest first', ids(NEWEST - COUNT + 1).toReversed()],
  ['oldest first', ids(NEWEST - COUNT + 1)],
] as const)('listNewest() joins the pages of a list that is %s', async (order, expected) => {
  /** Returns a page of the numbers up to NEWEST, as the mock does. */
  const list = async ({ before = `${NEWEST + 1}`, limit = PAGE }) => {
    const newest = Number(before) - 1;
    const items = Array.from({ length: limit }, (_, n) => ({ id: `${newest - n}` }));
    return {
      items: order === 'newest first' ? items : items.toReversed(),
      next: `${newest - limit + 1}`,
    };
  };
  const found = await listNewest({ list: list as never, filter: {}, limit: COUNT, order });
  expect(found.map(({ id }) => id)).toEqual(expected);
});
