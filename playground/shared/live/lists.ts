import type { ControlClient } from 'ofage/mock/client';
import type { Attention } from './attention.ts';
import { type ListEngine, type LiveList, createList } from './list.ts';
import type { ListItem, ListSource } from './list-source.ts';
import type { LiveMessage } from './messages.ts';

/** The open lists. */
export interface Lists {
  /** Opens a list. Callers with the same `key` share one list. */
  open<Item extends ListItem>(source: ListSource<Item>): { list: LiveList<Item>; close(): void };
  apply(message: LiveMessage): void;
  /** Shows the applied messages at once, without the usual delay. */
  flush(): void;
  reload(isWanted?: (list: LiveList<unknown>) => boolean): void;
}

interface Entry {
  readonly topic: string;
  readonly engine: ListEngine<ListItem>;
  users: number;
}

/**
 * @param mayRead Tells whether a newly opened list is read at once. Otherwise it waits for the next
 *   `reload`.
 */
export function createLists(
  client: ControlClient,
  attention: Attention,
  mayRead: () => boolean,
): Lists {
  const entries = new Map<string, Entry>();

  function start<Item extends ListItem>(source: ListSource<Item>): Entry {
    // The type of the items is erased here. Equal keys imply equal item types, so `open` can restore it.
    const engine = createList(source, client, attention) as unknown as ListEngine<ListItem>;
    const entry = { topic: source.topic, engine, users: 0 };
    entries.set(source.key, entry);
    if (mayRead()) engine.reload();
    return entry;
  }

  return {
    open<Item extends ListItem>(source: ListSource<Item>) {
      const entry = entries.get(source.key) ?? start(source);
      entry.users += 1;
      return {
        list: entry.engine as unknown as LiveList<Item>,
        close() {
          entry.users -= 1;
          if (entry.users > 0) return;
          entries.delete(source.key);
          entry.engine.stop();
        },
      };
    },
    apply(message) {
      for (const { topic, engine } of entries.values()) {
        if (topic === message.topic) engine.apply(message);
      }
    },
    flush() {
      for (const { engine } of entries.values()) engine.flush();
    },
    reload(isWanted = () => true) {
      for (const { engine } of entries.values()) if (isWanted(engine)) engine.reload();
    },
  };
}
