/** A receiver of the database's notifications of new entries. */
export interface Notifications {
  /** Handles a notification, which contains the number of the last written entry. */
  receive(payload: string): void;
  close(): void;
}

/**
 * Delay before a notification is handled. Under load, the next commit often reads the entries within this
 * delay, which saves an extra read.
 */
const DELAY_MS = 20;

/**
 * Creates a receiver that calls `notify` after a delay, unless the notified entries have been read by then.
 * A process has always read its own entries, so their notifications are ignored.
 */
export function createNotifications(lastSeq: () => number, notify: () => void): Notifications {
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    receive(payload) {
      last = Number(payload);
      timer ??= setTimeout(() => {
        timer = undefined;
        if (last > lastSeq()) notify();
      }, DELAY_MS);
    },
    close: () => clearTimeout(timer),
  };
}
