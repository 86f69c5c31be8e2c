import { expect, it } from 'vitest';
import { createMemoryTable } from '../../../playground/reference-backend/store.ts';

it('a table in memory drops the row that was changed longest ago when it is full', async () => {
  const table = createMemoryTable<number>(2);
  await table.update('a', () => 1);
  await table.update('b', () => 2);
  await table.update('a', (row = 0) => row + 10);
  await table.update('c', () => 3);
  expect([await table.get('a'), await table.get('b'), await table.get('c')]).toEqual([
    11,
    undefined,
    3,
  ]);
});

it('a table in memory has a limit if none is given', async () => {
  const table = createMemoryTable<number>();
  for (let id = 0; id <= 10_000; id += 1) await table.update(String(id), () => id);
  expect([await table.get('0'), await table.get('1')]).toEqual([undefined, 1]);
});
