import { type Entry, type Log, LogError } from '../../mock-server/store/log.ts';

/** The entries that several logs share, which simulate several processes or tabs. */
export interface SharedMemory {
  readonly entries: Entry[];
  queue: Promise<unknown>;
}

export function createSharedMemory(): SharedMemory {
  return { entries: [], queue: Promise.resolve() };
}

export function createSharedMemoryLog(shared: SharedMemory): Log {
  let readCount = 0;
  return {
    isShared: true,
    commit(batch) {
      const done = shared.queue.then(() => {
        for (const entry of shared.entries.slice(readCount)) batch.apply(entry);
        readCount = shared.entries.length;
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
  } catch (cause) {
    throw new LogError('append_failed', 'Cannot keep the entry', { cause });
  }
}
