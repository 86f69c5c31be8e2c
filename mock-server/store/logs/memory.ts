import type { Log } from '../log.ts';

/**
 * Creates a log for a state in the memory of this process. No other log can read the state, so no entries
 * are stored, and the tables are the only copy.
 */
export function createMemoryLog(): Log {
  return {
    isShared: false,
    commit(batch) {
      batch.run();
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}
