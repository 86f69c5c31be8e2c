import { LogError, type Entry, type Log } from '../log.ts';

/** The entries that several memory logs share, for tests that simulate several processes. */
export interface SharedMemory {
  readonly entries: Entry[];
  queue: Promise<unknown>;
}

export function createSharedMemory(): SharedMemory {
  return { entries: [], queue: Promise.resolve() };
}

/**
 * Creates a log that keeps the state in the memory of the process. If `shared` is omitted, no other log can
 * read the state, so no entries are stored, and the tables are the only copy.
 */
export function createMemoryLog(shared?: SharedMemory): Log {
  let readCount = 0;
  return {
    isShared: shared !== undefined,
    commit(batch) {
      if (!shared) {
        batch.run();
        return Promise.resolve();
      }
      const done = shared.queue.then(() => {
        for (; readCount < shared.entries.length; readCount += 1) {
          const entry = shared.entries[readCount];
          if (entry) batch.apply(entry);
        }
        const entry = batch.run();
        if (!entry) return;
        shared.entries.push(copy(entry));
        readCount += 1;
      });
      shared.queue = done.catch(() => {});
      return done;
    },
    close: () => Promise.resolve(),
  };
}

/** Copies an entry, so that two logs never share row objects. */
function copy(entry: Entry): Entry {
  try {
    return structuredClone(entry);
  } catch (error) {
    throw new LogError(
      'append_failed',
      'Cannot keep the entry: it contains a value that cannot be cloned',
      {
        cause: error,
      },
    );
  }
}
