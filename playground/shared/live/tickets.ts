import { type LiveNews, toKey } from './news.ts';

/**
 * Tracks the stream's messages while a change is pending, because the response may be older than these
 * messages.
 */
export interface Ticket {
  /** Tells whether the stream has delivered the same resource since the request began. */
  isOutdated(answer: LiveNews): boolean;
  close(): void;
}

export interface Tickets {
  open(): Ticket;
  /** Records a message of the stream. After `reload`, every pending response is outdated. */
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
