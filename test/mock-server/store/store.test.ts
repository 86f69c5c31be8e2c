import { describe, expect, it, vi } from 'vitest';
import { LogError, type Entry, type Log } from '../../../mock-server/store/log.ts';
import { createStore, type Store } from '../../../mock-server/store/store.ts';
import { createMemoryLog } from '../../../mock-server/store/logs/memory.ts';
import { settle } from '../../support/manual-clock.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';
import { waitFor } from '../../support/wait-for.ts';

const put = (store: Store, id: string, value = 'x'): Promise<unknown> =>
  store.transact((db) => db.put('settings', { id, value }));

const ids = (store: Store): Promise<string[]> =>
  store.transact((db) => Array.from(db.all('settings'), ({ id }) => id));

describe('transact()', () => {
  it('rolls back a transaction that throws, but no other in its batch', async () => {
    const store = createStore(createMemoryLog());
    const results = await Promise.allSettled([
      put(store, 'a', 'first'),
      store.transact((db) => {
        db.put('settings', { id: 'a', value: 'undone' });
        db.put('settings', { id: 'b', value: 'undone' });
        throw new RangeError('No');
      }),
      store.transact((db) => db.get('settings', 'a')?.value),
    ]);
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: new RangeError('No') },
      { status: 'fulfilled', value: 'first' },
    ]);
    expect(await ids(store)).toEqual(['a']);
  });

  it('commits a transaction with more rows than a function call can have arguments', async () => {
    // A reset of a state with many sessions is a single transaction.
    const rows = 200_000;
    const store = createStore(createMemoryLog());
    await store.transact((db) => {
      for (let n = 0; n < rows; n += 1) db.put('settings', { id: String(n), value: 'x' });
    });
    expect(await store.transact((db) => db.count('settings'))).toBe(rows);
  });

  it('rejects an async transaction, because it would continue outside the lock', async () => {
    const store = createStore(createMemoryLog());
    const late = store.transact(async (db) => db.put('settings', { id: 'a', value: 'x' }));
    await expect(late).rejects.toThrow(new TypeError('A transaction must be synchronous'));
    expect(await ids(store)).toEqual([]);
  });

  it('queues a transaction that was started inside another one', async () => {
    const store = createStore(createMemoryLog());
    let inner: Promise<unknown> | undefined;
    await store.transact((db) => {
      inner = put(store, 'inner');
      db.put('settings', { id: 'outer', value: 'x' });
    });
    await inner;
    expect(await ids(store)).toEqual(['outer', 'inner']);
  });

  it('resolves only once the entry is durable', async () => {
    const { log, entries, release } = createSlowLog();
    const store = createStore(log);
    const done = vi.fn();
    const first = put(store, 'a').then(done);
    await waitFor(() => expect(entries).toHaveLength(1));
    await settle();
    expect(done).not.toHaveBeenCalled();
    release();
    await first;
    expect(done).toHaveBeenCalled();
  });
});

describe('the store, with a failing log,', () => {
  it('rejects waiting transactions if the log fails before it runs them, and runs later ones', async () => {
    const store = createStore(createFailingLog());
    const run = vi.fn();
    await expect(store.transact(run)).rejects.toMatchObject({ code: 'append_failed' });
    expect(run).not.toHaveBeenCalled();
    await put(store, 'a');
    expect(await ids(store)).toEqual(['a']);
  });

  it('applies an entry that was written although commit() rejected', async () => {
    const shared = createSharedMemory();
    const inner = createMemoryLog();
    let fails = true;
    let applied = 0;
    const store = createStore({
      isShared: false,
      async commit(batch) {
        for (; applied < shared.entries.length; applied += 1) batch.apply(shared.entries[applied]!);
        const entry = batch.run();
        if (!entry) return;
        shared.entries.push(structuredClone(entry));
        if (fails) throw new LogError('append_failed', 'The answer was lost');
        applied += 1;
      },
      close: () => inner.close(),
    });
    await expect(put(store, 'a')).rejects.toThrow('The answer was lost');
    fails = false;
    expect(await ids(store)).toEqual(['a']);
  });
});

const thrown = new Error('The listener is broken');

/** Creates a store whose listener always throws. */
function createBroken(listener: 'onDurable' | 'onChange', log: Log = createMemoryLog()) {
  const onError = vi.fn();
  const fail = (): never => {
    throw thrown;
  };
  return { store: createStore(log, { [listener]: fail, onError }), onError };
}

describe('a throwing listener', () => {
  it('is reported, and does not roll back durable entries', async () => {
    const shared = createSharedMemory();
    const { store, onError } = createBroken('onDurable', createSharedMemoryLog(shared));
    await Promise.all([put(store, 'a'), put(store, 'b')]);
    expect(onError).toHaveBeenCalledExactlyOnceWith(thrown);
    expect(await ids(store)).toEqual(['a', 'b']);
    // Memory and log agree: a new store that reads the whole log has the same state.
    expect(await ids(createStore(createSharedMemoryLog(shared)))).toEqual(['a', 'b']);
  });

  it('neither blocks entries of other processes nor causes them to be applied twice', async () => {
    const shared = createSharedMemory();
    const writer = createStore(createSharedMemoryLog(shared));
    const { store, onError } = createBroken('onDurable', createSharedMemoryLog(shared));
    await put(writer, 'theirs');
    await put(store, 'ours');
    expect(await ids(store)).toEqual(['theirs', 'ours']);
    expect(onError.mock.calls).toEqual([[thrown], [thrown]]);
  });
});

describe('a throwing observer of changes', () => {
  it('is reported, and does not undo the change', async () => {
    const { store, onError } = createBroken('onChange');
    await put(store, 'a');
    await Promise.resolve();
    expect(onError.mock.calls).toEqual([[thrown]]);
    expect(await ids(store)).toEqual(['a']);
  });

  it('does not stop a rollback or later transactions', async () => {
    const { store } = createBroken('onChange');
    const failing = store.transact((db) => {
      db.put('settings', { id: 'a', value: 'undone' });
      db.put('settings', { id: 'b', value: 'undone' });
      throw new RangeError('No');
    });
    await expect(failing).rejects.toThrow(new RangeError('No'));
    expect(await ids(store)).toEqual([]);
    await store.close();
  });
});

describe('close()', () => {
  it('finishes earlier transactions, rejects later ones, and closes the log', async () => {
    const shared = createSharedMemory();
    const log = createSharedMemoryLog(shared);
    const closeLog = vi.spyOn(log, 'close');
    const store = createStore(log);
    const asked = put(store, 'a');
    const closing = store.close();
    await expect(put(store, 'b')).rejects.toThrow('The service is closed');
    await Promise.all([asked, closing]);
    expect(closeLog).toHaveBeenCalledTimes(1);
    expect(shared.entries).toHaveLength(1);
  });

  it('waits until the log has written the last entry', async () => {
    const { log, entries, release } = createSlowLog();
    const closeLog = vi.spyOn(log, 'close');
    const store = createStore(log);
    const first = put(store, 'a');
    await waitFor(() => expect(entries).toHaveLength(1));
    const closing = store.close();
    await settle();
    expect(closeLog).not.toHaveBeenCalled();
    release();
    await Promise.all([first, closing]);
    expect(closeLog).toHaveBeenCalledTimes(1);
  });
});

/** Creates a log whose entries become durable only when the test calls `release`. */
function createSlowLog(): { log: Log; entries: Entry[]; release(): void } {
  const entries: Entry[] = [];
  let release = (): void => {};
  return {
    entries,
    release: () => release(),
    log: {
      isShared: false,
      async commit(batch) {
        const entry = batch.run();
        if (!entry) return;
        entries.push(entry);
        await new Promise<void>((resolve) => (release = resolve));
      },
      close: () => Promise.resolve(),
    },
  };
}

/** Creates a log whose first commit fails before it runs the transactions. */
function createFailingLog(): Log {
  let commits = 0;
  return {
    isShared: false,
    async commit(batch) {
      commits += 1;
      if (commits === 1) throw new LogError('append_failed', 'The disk is full');
      batch.run();
    },
    close: () => Promise.resolve(),
  };
}
