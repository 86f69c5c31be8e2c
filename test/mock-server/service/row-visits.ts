import { vi } from 'vitest';
import type { Db } from '../../../mock-server/store/db.ts';

/**
 * Counts the rows that are read from now on with all(), find() and newest(). The returned function returns
 * the count.
 */
export function countRowVisits(db: Db): () => number {
  let visits = 0;
  function* counted<T>(rows: Iterable<T>): Generator<T, void> {
    for (const row of rows) {
      visits += 1;
      yield row;
    }
  }
  const { all, find, newest } = db;
  vi.spyOn(db, 'all').mockImplementation((...walk) => counted(all.apply(db, walk)) as never);
  vi.spyOn(db, 'find').mockImplementation((...of) => [...counted(find.apply(db, of))] as never);
  vi.spyOn(db, 'newest').mockImplementation((...walk) => {
    const rows = newest.apply(db, walk);
    return (rows && counted(rows)) as never;
  });
  return () => visits;
}
