import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Live } from '../live.ts';
import type { LiveList } from './list.ts';
import type { ListItem, ListSource } from './list-source.ts';
import type { LiveQuery, Query } from './query.ts';

/** Opens a list while the component is mounted. */
export function useList<Item extends ListItem>(
  live: Live,
  source: ListSource<Item>,
): LiveList<Item> {
  const opened = useMemo(() => live.openList(source), [live, source.key]);
  useEffect(() => opened.close, [opened]);
  return opened.list;
}

/**
 * Opens a query while the component is mounted.
 * @param key Identifies the query. A different value opens a new query, and the old data stays until the
 *   new data arrives.
 */
export function useQuery<T>(live: Live, key: string, query: Query<T>): LiveQuery<T> {
  const opened = useMemo(() => live.openQuery(query), [live, key]);
  useEffect(() => opened.close, [opened]);
  const last = useRef<T | null>(null);
  const { data, error, reload } = opened.query;
  return {
    data: {
      get value() {
        return (last.current = data.value ?? last.current);
      },
    },
    error,
    reload,
  };
}
