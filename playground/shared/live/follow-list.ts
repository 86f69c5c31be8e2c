import { type ReadonlySignal, computed, effect, signal, untracked } from '@preact/signals';
import type { Live } from '../live.ts';
import type { LiveList } from './list.ts';
import type { ListItem, ListSource } from './list-source.ts';

/** A list whose source can change. */
export interface FollowedList<Item> {
  /** The items. Null if there is no source, and until the list of a new source has been read. */
  readonly data: ReadonlySignal<readonly Item[] | null>;
  close(): void;
}

/**
 * Follows a list whose source depends on signals, for example the deliveries to the chosen endpoint.
 * @param toSource Computes the source from signals. Returns null to follow nothing.
 */
export function followList<Item extends ListItem>(
  live: Pick<Live, 'openList'>,
  toSource: () => ListSource<Item> | null,
): FollowedList<Item> {
  const list = signal<LiveList<Item> | null>(null);
  const source = computed(toSource);
  const key = computed(() => source.value?.key ?? null);
  const close = effect(() => {
    void key.value;
    const wanted = source.peek();
    const opened = wanted && untracked(() => live.openList(wanted));
    list.value = opened?.list ?? null;
    return () => opened?.close();
  });
  return { data: computed(() => list.value?.data.value ?? null), close };
}
