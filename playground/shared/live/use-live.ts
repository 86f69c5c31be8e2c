import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Live } from '../live.ts';
import type { LiveList } from './list.ts';
import type { ListItem, ListSource } from './list-source.ts';
import type { LiveQuery, Query } from './query.ts';

/** Shows a list for as long as the component is there. */
export function useList<Item extends ListItem>(
  live: Live,
  source: ListSource<Item>,
): LiveList<Item> {
  const opened = useMemo(() => live.openList(source), [live, source.key]);
  useEffect(() => opened.close, [opened]);
  return opened.list;
}

/**
 * Shows the answer to a query for as long as the component is there.
 * @param asked What the query depends on; another value asks anew, and the last answer stays until then.
 */
export function useQuery<T>(live: Live, asked: string, query: Query<T>): LiveQuery<T> {
  const opened = useMemo(() => live.openQuery(query), [live, asked]);
  useEffect(() => opened.close, [opened]);
  const last = useRef<T | null>(null);
  const { data, trouble, reload } = opened.query;
  return {
    data: {
      get value() {
        return (last.current = data.value ?? last.current);
      },
    },
    trouble,
    reload,
  };
}
