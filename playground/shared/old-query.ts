// Queries of the pages that the console is about to replace. They go with these pages.
import type { Live, Loaded, Query as LiveQuerySource } from './live.ts';
import { useEffect, useMemo } from 'preact/hooks';

export type LiveQuery<T> = Loaded<T>;
export type Query<T> = Omit<LiveQuerySource<T>, 'key'>;

export function useQuery<T>(live: Live, key: string, query: Query<T>): LiveQuery<T> {
  const opened = useMemo(
    () => live.open({ ...query, key: `${key} ${Math.random()}` }),
    [live, key],
  );
  useEffect(() => opened.close, [opened]);
  return opened;
}
