/** Hears from the database that there are new entries. */
export interface News {
  /** Takes in a notification: the number of the last entry that was written. */
  hear(payload: string): void;
  close(): void;
}

/** How long news waits: under load the next commit has read it by then, and nobody needs to look. */
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
