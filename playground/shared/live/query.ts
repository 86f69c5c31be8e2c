import { signal } from '@preact/signals';
import type { Attention } from './attention.ts';
import type { Loadable } from './loadable.ts';
import { type Loader, createLoader } from './loader.ts';
import type { LiveTopic } from './messages.ts';

/**
 * A request for data that the stream does not carry, such as a search, a report or the state of the shop's
 * own server.
 */
export interface Query<T> {
  /** The topics whose messages may change the result. */
  readonly topics: readonly LiveTopic[];
  read(): Promise<T>;
  /** The interval of additional reads, for changes that the stream does not report. */
  readonly everyMs?: number | undefined;
  /**
   * The delay in milliseconds during which messages are collected before they cause one read. @default 60
   */
  readonly gatherMs?: number | undefined;
}

/** A query whose result is kept up to date. */
export interface LiveQuery<T> extends Loadable<T> {
  /**
   * Reads again, after the pending read if there is one. Resolves when this read has ended, even if it
   * failed. Never rejects.
   */
  reload(): Promise<void>;
}

/** The open queries. */
export interface Queries {
  open<T>(query: Query<T>): { query: LiveQuery<T>; close(): void };
  /** Reads again the queries whose result a message of this topic may change. */
  note(topic: LiveTopic): void;
  reload(isWanted?: (loader: Loader) => boolean): void;
}

/**
 * @param mayRead Tells whether a newly opened query is read at once. Otherwise it waits for the next
 *   `reload`.
 */
export function createQueries(attention: Attention, mayRead: () => boolean): Queries {
  const open = new Map<Loader, Pick<Query<unknown>, 'topics' | 'gatherMs'>>();
  return {
    open<T>({ topics, read, everyMs, gatherMs }: Query<T>) {
      const data = signal<T | null>(null);
      const loader = createLoader(
        async () => {
          const value = await read();
          // The response is stale if the query was closed in the meantime.
          if (open.has(loader)) data.value = value;
        },
        attention,
        everyMs,
      );
      open.set(loader, { topics, gatherMs });
      if (mayRead()) loader.askSoon(0);
      return {
        query: { data, error: loader.error, reload: () => loader.ask() },
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
