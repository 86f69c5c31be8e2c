import 'fake-indexeddb/auto';
import { deleteDB, openDB } from 'idb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LOG_FORMAT } from '../../../mock-server/core/log.ts';
import { createStore } from '../../../mock-server/core/store.ts';
import { createIndexedDbLog } from '../../../mock-server/logs/indexeddb.ts';
import { logConformance } from './log-conformance.ts';

let databases = 0;
const makeName = (): string => `test-${(databases += 1)}`;

logConformance(
  'the IndexedDB log',
  async () => {
    const name = makeName();
    return {
      open: () => createIndexedDbLog({ name }),
      async entries() {
        const db = await openDB(name);
        const count = await db.count('entries');
        db.close();
        return count;
      },
      async setFormat(format) {
        (await openDB(name, format)).close();
      },
      dispose: () => deleteDB(name),
    };
  },
  { isShared: true, compacts: true, newerFormat: 'discarded' },
);

describe('the IndexedDB log in several tabs', () => {
  const opened: { close(): void | Promise<void> }[] = [];
  const open = (name: string, onForeignEntry?: () => void) => {
    const store = createStore(
      createIndexedDbLog({ name, ...(onForeignEntry && { onForeignEntry }) }),
    );
    opened.push(store);
    return store;
  };

  afterEach(async () => {
    vi.useRealTimers();
    for (const one of opened.splice(0)) await one.close();
  });

  it('is notified when another tab has written', async () => {
    const name = makeName();
    const onChange = vi.fn();
    const [mine, theirs] = [open(name, onChange), open(name)];
    await mine.transact((db) => db.put('settings', { id: 'a', value: 'mine' }));
    await theirs.transact((db) => db.put('settings', { id: 'a', value: 'theirs' }));
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1), 10_000);
    expect(await mine.transact((db) => db.get('settings', 'a')?.value)).toBe('theirs');
  });

  it('is not notified when another tab only reads', async () => {
    const name = makeName();
    const onChange = vi.fn();
    const [mine, theirs] = [open(name, onChange), open(name)];
    await mine.transact((db) => db.put('settings', { id: 'a', value: 'mine' }));
    for (let n = 0; n < 3; n += 1) await theirs.transact((db) => db.get('settings', 'a'));
    await theirs.transact((db) => db.put('settings', { id: 'last', value: 'x' }));
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), 10_000);
    // Messages arrive in order, so an earlier one would have arrived as well.
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it('keeps the old entries and no new one if a snapshot fails half-way', async () => {
    const name = makeName();
    const [one, two] = [open(name), open(name)];
    const value = 'x'.repeat(900_000);
    await one.transact((db) => db.put('settings', { id: 'a', value }));
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementationOnce(() => {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
    });
    await expect(
      one.transact((db) => db.put('settings', { id: 'b', value })),
    ).rejects.toMatchObject({
      code: 'append_failed',
      message: expect.stringContaining('The quota has been exceeded'),
    });
    for (const store of [one, two]) {
      expect(await store.transact((db) => [...db.all('settings')])).toEqual([{ id: 'a', value }]);
    }
    await one.transact((db) => db.put('settings', { id: 'b', value }));
    expect(await two.transact((db) => db.count('settings'))).toBe(2);
  });

  it('starts again if the site’s data was deleted while it was open', async () => {
    const name = makeName();
    const [one, two] = [open(name), open(name)];
    for (const id of ['a', 'b', 'c']) {
      await one.transact((db) => db.put('settings', { id, value: 'old' }));
    }
    await deleteDB(name);
    await two.transact((db) => db.put('settings', { id: 'd', value: 'new' }));
    expect(await one.transact((db) => [...db.all('settings')])).toEqual([
      { id: 'd', value: 'new' },
    ]);
  });

  it('closes for a newer version of the page, and then tells the user to reload', async () => {
    const name = makeName();
    const store = open(name);
    await store.transact((db) => db.put('settings', { id: 'a', value: 'x' }));
    const newer = await openDB(name, LOG_FORMAT + 1);
    opened.push(newer);
    await expect(store.transact((db) => db.get('settings', 'a'))).rejects.toMatchObject({
      code: 'newer_format',
      message: expect.stringContaining('reload this page'),
    });
  });

  it('rejects with a clear message if a tab with a different format stays open', async () => {
    const name = makeName();
    // Unlike our connections, this one has no versionchange listener.
    const stubborn = await openDB(name, LOG_FORMAT + 1);
    opened.push(stubborn);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const refused = expect(
      open(name).transact((db) => db.get('settings', 'a')),
    ).rejects.toMatchObject({ code: 'locked', message: expect.stringContaining('close that tab') });
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(3_000);
    await refused;
  });
});
