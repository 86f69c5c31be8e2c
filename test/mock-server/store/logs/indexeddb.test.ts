import 'fake-indexeddb/auto';
import { deleteDB, openDB } from 'idb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LOG_FORMAT } from '../../../../mock-server/store/log.ts';
import { createStore } from '../../../../mock-server/store/store.ts';
import { createIndexedDbLog } from '../../../../mock-server/store/logs/indexeddb.ts';
import { logConformance } from './log-conformance.ts';
import { waitFor } from '../../../support/wait-for.ts';

let databases = 0;
function makeName(): string {
  databases += 1;
  return `test-${databases}`;
}
/** The name of the database in which a log with this name keeps its entries. */
const toDatabase = (name: string, format = LOG_FORMAT): string => `${name} (format ${format})`;

logConformance(
  'the IndexedDB log',
  async () => {
    const name = makeName();
    return {
      open: () => createIndexedDbLog({ name }),
      async entries() {
        const db = await openDB(toDatabase(name));
        const count = await db.count('entries');
        db.close();
        return count;
      },
      async contains(text) {
        const db = await openDB(toDatabase(name));
        const entries = await db.getAll('entries');
        db.close();
        return JSON.stringify(entries).includes(text);
      },
      dispose: () => deleteDB(toDatabase(name)),
    };
  },
  { isShared: true, compacts: true },
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
    await waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
    expect(await mine.transact((db) => db.get('settings', 'a')?.value)).toBe('theirs');
  });

  it('is not notified when another tab only reads', async () => {
    const name = makeName();
    const onChange = vi.fn();
    const [mine, theirs] = [open(name, onChange), open(name)];
    await mine.transact((db) => db.put('settings', { id: 'a', value: 'mine' }));
    for (let n = 0; n < 3; n += 1) await theirs.transact((db) => db.get('settings', 'a'));
    await theirs.transact((db) => db.put('settings', { id: 'last', value: 'x' }));
    await waitFor(() => expect(onChange).toHaveBeenCalled());
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

  it('starts again if its first connection to the new data is closed before it is used', async () => {
    const name = makeName();
    const mine = open(name);
    await mine.transact((db) => db.put('settings', { id: 'a', value: 'old' }));
    await deleteDB(toDatabase(name));
    const theirs = open(name);
    await theirs.transact((db) => db.put('settings', { id: 'b', value: 'new' }));
    const { transaction } = IDBDatabase.prototype;
    const begun = vi.spyOn(IDBDatabase.prototype, 'transaction');
    begun.mockImplementation(function (this: IDBDatabase, ...args) {
      const [, mode] = args;
      if (mode !== 'readwrite') return transaction.apply(this, args);
      begun.mockRestore();
      throw new DOMException('The connection is closed', 'InvalidStateError');
    });
    expect(await mine.transact((db) => Array.from(db.all('settings'), ({ id }) => id))).toEqual([
      'b',
    ]);
  });

  it('starts again if the site’s data was deleted while it was open', async () => {
    const name = makeName();
    const [one, two] = [open(name), open(name)];
    for (const id of ['a', 'b', 'c']) {
      await one.transact((db) => db.put('settings', { id, value: 'old' }));
    }
    await deleteDB(toDatabase(name));
    await two.transact((db) => db.put('settings', { id: 'd', value: 'new' }));
    expect(await one.transact((db) => [...db.all('settings')])).toEqual([
      { id: 'd', value: 'new' },
    ]);
  });

  it.each([LOG_FORMAT - 1, LOG_FORMAT + 1])(
    'leaves the state of format %i as it is, also while another tab has it open',
    async (format) => {
      const name = makeName();
      // Unlike our connections, this one never closes for another tab.
      const other = await openDB(toDatabase(name, format), 1, {
        upgrade: (db) => void db.createObjectStore('entries').put('a row', 'a key'),
      });
      opened.push(other);
      const store = open(name);
      await store.transact((db) => db.put('settings', { id: 'a', value: 'x' }));
      expect(await store.transact((db) => db.count('settings'))).toBe(1);
      expect(await other.getAll('entries')).toEqual(['a row']);
    },
  );
});
