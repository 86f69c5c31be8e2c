/** Receives the database's notifications of new entries. */
export interface News {
  /** Takes in a notification: the number of the last entry that was written. */
  hear(payload: string): void;
  close(): void;
}

/**
 * Delay before a notification is acted on. Under load the next commit has read the entries by then, so that
 * no extra read is needed.
 */
const PATIENCE_MS = 20;

/** Tells, after a moment, of entries that have not been seen by then. Our own have. */
export function createNews(seen: () => number, tell: () => void): News {
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    hear(payload) {
      last = Number(payload);
      timer ??= setTimeout(() => {
        timer = undefined;
        if (last > seen()) tell();
      }, PATIENCE_MS);
    },
    close: () => clearTimeout(timer),
  };
}
