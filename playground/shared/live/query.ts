import { signal } from '@preact/signals';
import type { Attention } from './attention.ts';
import type { Loadable } from './loadable.ts';
import { type Loader, createLoader } from './loader.ts';
import type { LiveTopic } from './news.ts';

/** What a page asks and the stream does not carry: a search, a report, the state of the shop's own server. */
export interface Query<T> {
  /** The topics whose news may change the answer. */
  readonly topics: readonly LiveTopic[];
  read(): Promise<T>;
  /** Reads as often as this too, for what no message tells of. */
  readonly everyMs?: number | undefined;
  /** How long news are gathered before they cause one read, in milliseconds. @default 60 */
  readonly gatherMs?: number | undefined;
}

/** A query that is kept up to date. */
export interface LiveQuery<T> extends Loadable<T> {
  /** Resolves when what is shown is as new as this call. Never rejects. */
  reload(): Promise<void>;
}

/** The queries that are open. */
export interface Queries {
  open<T>(query: Query<T>): { query: LiveQuery<T>; close(): void };
  /** Reads again what news of this topic may have changed. */
  note(topic: LiveTopic): void;
  reload(isWanted?: (loader: Loader) => boolean): void;
}

/** @param mayRead Whether a query that is opened reads at once, rather than at the next `reload`. */
export function createQueries(attention: Attention, mayRead: () => boolean): Queries {
  const open = new Map<Loader, Pick<Query<unknown>, 'topics' | 'gatherMs'>>();
  return {
    open<T>({ topics, read, everyMs, gatherMs }: Query<T>) {
      const data = signal<T | null>(null);
      const loader = createLoader(
        async () => {
          const value = await read();
          // The answer to a question that is not asked any more.
          if (open.has(loader)) data.value = value;
        },
        attention,
        everyMs,
      );
      open.set(loader, { topics, gatherMs });
      if (mayRead()) loader.askSoon(0);
      return {
        query: { data, trouble: loader.trouble, reload: () => loader.ask() },
        close() {
          open.delete(loader);
          loader.stop();
        },
      };
    },
    note(topic) {
      for (const [loader, { topics, gatherMs }] of open) {
        if (topics.includes(topic)) loader.askSoon(gatherMs);
      }
    },
    reload(isWanted = () => true) {
      for (const loader of open.keys()) if (isWanted(loader)) loader.askSoon(0);
    },
  };
}
