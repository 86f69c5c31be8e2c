import { type LiveNews, toKey } from './news.ts';

/** Watches the stream while a change is pending, because the answer may be older than the stream's news. */
export interface Ticket {
  /** Whether the stream has told of the same resource since the request began. */
  isOutdated(answer: LiveNews): boolean;
  close(): void;
}

export interface Tickets {
  open(): Ticket;
  /** Takes news of the stream. After `reload` every pending answer is outdated. */
  note(news: LiveNews): void;
}

export function createTickets(): Tickets {
  const pending = new Set<Set<string>>();
  return {
    open() {
      const told = new Set<string>();
      pending.add(told);
      return {
        isOutdated: (answer) => told.has('reload') || told.has(toKey(answer)),
        close: () => void pending.delete(told),
      };
    },
    note(news) {
      for (const told of pending) told.add(news.topic === 'reload' ? 'reload' : toKey(news));
    },
  };
}
