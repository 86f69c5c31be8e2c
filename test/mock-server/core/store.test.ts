import { describe, expect, it, vi } from 'vitest';
import { LogError, type Entry, type Log } from '../../../mock-server/core/log.ts';
import { createStore, type Store } from '../../../mock-server/core/store.ts';
import { createMemoryLog, createSharedMemory } from '../../../mock-server/logs/memory.ts';

const put = (store: Store, id: string, value = 'x'): Promise<unknown> =>
  store.transact((db) => db.put('settings', { id, value }));

const ids = (store: Store): Promise<string[]> =>
  store.transact((db) => Array.from(db.all('settings'), ({ id }) => id));

describe('transact()', () => {
  it('runs transactions in order and resolves with their values', async () => {
    const store = createStore(createMemoryLog());
    const counts = await Promise.all(
      ['a', 'b', 'c'].map((id) =>
        store.transact((db) => {
          db.put('settings', { id, value: 'x' });
          return db.count('settings');
        }),
      ),
    );
    expect(counts).toEqual([1, 2, 3]);
  });

  it('undoes a transaction that throws, and no other of its batch', async () => {
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

  it('takes a transaction that writes more rows than a call takes arguments', async () => {
    // A reset of a state with many sessions is one transaction.
    const rows = 200_000;
    const store = createStore(createMemoryLog());
    await store.transact((db) => {
      for (let n = 0; n < rows; n += 1) db.put('settings', { id: String(n), value: 'x' });
    });
    expect(await store.transact((db) => db.count('settings'))).toBe(rows);
  });

  it('refuses a transaction that would go on later, outside the lock', async () => {
    const store = createStore(createMemoryLog());
    const late = store.transact(async (db) => db.put('settings', { id: 'a', value: 'x' }));
    await expect(late).rejects.toThrow(new TypeError('A transaction must be synchronous'));
    expect(await ids(store)).toEqual([]);
  });

  it('takes a transaction asked for inside another one next', async () => {
    const store = createStore(createMemoryLog());
    let inner: Promise<unknown> | undefined;
    await store.transact((db) => {
      inner = put(store, 'inner');
      db.put('settings', { id: 'outer', value: 'x' });
    });
    await inner;
    expect(await ids(store)).toEqual(['outer', 'inner']);
  });

  it('collects what arrives while the log is busy into one entry', async () => {
    const { log, entries, release } = createSlowLog();
    const store = createStore(log);
    const first = put(store, 'first');
    await vi.waitFor(() => expect(entries).toHaveLength(1), 10_000);
    const others = ['a', 'b', 'c'].map((id) => put(store, id));
    release();
    await first;
    await vi.waitFor(() => expect(entries).toHaveLength(2), 10_000);
    release();
    await Promise.all(others);
    expect(entries.map(({ changes }) => changes.length)).toEqual([1, 3]);
  });

  it('resolves only when the entry is durable', async () => {
    const { log, entries, release } = createSlowLog();
    const store = createStore(log);
    const done = vi.fn();
    const first = put(store, 'a').then(done);
    await vi.waitFor(() => expect(entries).toHaveLength(1), 10_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(done).not.toHaveBeenCalled();
    release();
    await first;
    expect(done).toHaveBeenCalled();
  });
});

describe('a log that fails', () => {
  it('takes every transaction of the batch back, those that threw included', async () => {
    const store = createStore(createFailingLog('after the run', 2));
    await put(store, 'a', 'before');
    const together = await Promise.allSettled([
      put(store, 'a', 'lost first'),
      put(store, 'a', 'lost'),
      store.transact((db) => {
        // It throws because of a write that is then taken back, so that its reason does not hold.
        if (db.get('settings', 'a')?.value === 'lost') throw new Error('It is used');
      }),
      ids(store),
    ]);
    for (const result of together) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'append_failed' } });
    }
    expect(await store.transact((db) => db.get('settings', 'a')?.value)).toBe('before');
    await put(store, 'a', 'after');
    expect(await store.transact((db) => db.get('settings', 'a')?.value)).toBe('after');
  });

  it('rejects what waits when the lock cannot be had, and goes on with what comes later', async () => {
    const store = createStore(createFailingLog('before the run', 1));
    const run = vi.fn();
    await expect(store.transact(run)).rejects.toMatchObject({ code: 'append_failed' });
    expect(run).not.toHaveBeenCalled();
    await put(store, 'a');
    expect(await ids(store)).toEqual(['a']);
  });

  it('learns later that an entry had landed although the log could not say so', async () => {
    const shared = createSharedMemory();
    const inner = createMemoryLog();
    let fails = true;
    let seen = 0;
    const store = createStore({
      async commit(turn) {
        for (; seen < shared.entries.length; seen += 1) turn.apply(shared.entries[seen]!);
        const entry = turn.run();
        if (!entry) return;
        shared.entries.push(structuredClone(entry));
        if (fails) throw new LogError('append_failed', 'The answer was lost');
        seen += 1;
      },
      close: () => inner.close(),
    });
    await expect(put(store, 'a')).rejects.toThrow('The answer was lost');
    fails = false;
    expect(await ids(store)).toEqual(['a']);
  });
});

describe('a listener that throws', () => {
  const thrown = new Error('The listener is broken');
  const createBroken = (log: Log) => {
    const onError = vi.fn();
    const fail = (): never => {
      throw thrown;
    };
    return { store: createStore(log, undefined, fail, onError), onError };
  };

  it('undoes nothing that the log has, and is reported', async () => {
    const shared = createSharedMemory();
    const { store, onError } = createBroken(createMemoryLog(shared));
    await Promise.all([put(store, 'a'), put(store, 'b')]);
    expect(onError).toHaveBeenCalledExactlyOnceWith(thrown);
    expect(await ids(store)).toEqual(['a', 'b']);
    // Memory and log agree: whoever reads the log from its beginning finds the same.
    expect(await ids(createStore(createMemoryLog(shared)))).toEqual(['a', 'b']);
  });

  it('does not keep other holders’ entries out, nor apply them twice', async () => {
    const shared = createSharedMemory();
    const writer = createStore(createMemoryLog(shared));
    const { store, onError } = createBroken(createMemoryLog(shared));
    await put(writer, 'theirs');
    await put(store, 'ours');
    expect(await ids(store)).toEqual(['theirs', 'ours']);
    expect(onError.mock.calls).toEqual([[thrown], [thrown]]);
  });
});

describe('entries of other holders', () => {
  it('tells the observer of them, in order', async () => {
    const shared = createSharedMemory();
    const writer = createStore(createMemoryLog(shared));
    const seen: unknown[] = [];
    const reader = createStore(createMemoryLog(shared), (change) => seen.push(change));
    await put(writer, 'a', '1');
    await put(writer, 'a', '2');
    await ids(reader);
    expect(seen).toEqual([
      ['settings', 'a', { id: 'a', value: '1' }],
      ['settings', 'a', { id: 'a', value: '2' }],
    ]);
  });

  it('replaces everything by a snapshot', async () => {
    const shared = createSharedMemory();
    const store = createStore(createMemoryLog(shared));
    await put(store, 'old');
    shared.entries.push({
      snapshot: true,
      changes: [['settings', 'new', { id: 'new', value: 'x' }]],
    });
    expect(await ids(store)).toEqual(['new']);
  });
});

describe('close()', () => {
  it('finishes what was asked for before, refuses what comes later, and lets go of the log', async () => {
    const shared = createSharedMemory();
    const log = createMemoryLog(shared);
    const letGo = vi.spyOn(log, 'close');
    const store = createStore(log);
    const asked = put(store, 'a');
    const closing = store.close();
    await expect(put(store, 'b')).rejects.toThrow('The service is closed');
    await Promise.all([asked, closing]);
    expect(letGo).toHaveBeenCalledTimes(1);
    expect(shared.entries).toHaveLength(1);
  });
});

/** A disk that takes its time: an entry is durable when the test says so. */
function createSlowLog(): { log: Log; entries: Entry[]; release(): void } {
  const entries: Entry[] = [];
  let release = (): void => {};
  return {
    entries,
    release: () => release(),
    log: {
      async commit(turn) {
        const entry = turn.run();
        if (!entry) return;
        entries.push(entry);
        await new Promise<void>((resolve) => (release = resolve));
      },
      close: () => Promise.resolve(),
    },
  };
}

/** A disk that fails once, at its nth commit. */
function createFailingLog(when: 'before the run' | 'after the run', nth: number): Log {
  let commits = 0;
  return {
    async commit(turn) {
      commits += 1;
      const error = new LogError('append_failed', 'The disk is full');
      if (commits === nth && when === 'before the run') throw error;
      turn.run();
      if (commits === nth) throw error;
    },
    close: () => Promise.resolve(),
  };
}
