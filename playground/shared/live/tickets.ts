import { type LiveMessage, toKey } from './messages.ts';

/**
 * Tracks the stream's messages while a request is pending, because the response may be older than these
 * messages.
 */
export interface Ticket {
  /** Tells whether the stream has delivered the same resource since the request began. */
  isOutdated(answer: LiveMessage): boolean;
  close(): void;
}

export interface Tickets {
  open(): Ticket;
  /** Records a message of the stream. After `reload`, every pending response is outdated. */
  note(message: LiveMessage): void;
}

export function createTickets(): Tickets {
  const pending = new Set<Set<string>>();
  return {
    open() {
      const updatedKeys = new Set<string>();
      pending.add(updatedKeys);
      return {
        isOutdated: (answer) => updatedKeys.has('reload') || updatedKeys.has(toKey(answer)),
        close: () => void pending.delete(updatedKeys),
      };
    },
    note(message) {
      const key = message.topic === 'reload' ? 'reload' : toKey(message);
      for (const updatedKeys of pending) updatedKeys.add(key);
    },
  };
}
