import { afterEach, describe, expect, it } from 'vitest';
import { type Log, LOG_FORMAT, LogError } from '../../../../mock-server/store/log.ts';
import type { EndpointRow, KeyRow, SessionRow } from '../../../../mock-server/store/rows.ts';
import { createStore, type Store } from '../../../../mock-server/store/store.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { waitFor } from '../../../support/wait-for.ts';

/** A storage location of a log, with direct access for the tests. */
export interface LogPlace {
  /** Opens a log on the same state, as a different process would. */
  open(): Log | Promise<Log>;
  /** Returns the number of stored entries. A snapshot counts as its number of parts. */
  entries(): Promise<number>;
  /** Tells whether the files of the storage contain a text, also in a part that is no longer used. */
  contains?(text: string): Promise<boolean>;
  /** Marks the stored state as written in a newer format. No log may have it open. */
  setFormat?(format: number): Promise<void>;
  /** Deletes the storage and closes everything that the test left open. */
  dispose(): Promise<void>;
}

export interface LogTraits {
  /** True if several processes may open it at once. Otherwise the second one is rejected. */
  readonly isShared: boolean;
  /** True if a snapshot replaces old entries. */
  readonly compacts: boolean;
  /** True if a state in a newer format is refused. */
  readonly refusesNewerFormat?: boolean;
}

export function put(store: Store, id: string, value: string): Promise<unknown> {
  return store.transact((db) => db.put('settings', { id, value }));
}

export function read(store: Store): Promise<Record<string, string>> {
  return store.transact((db) =>
    Object.fromEntries(Array.from(db.all('settings'), ({ id, value }) => [id, value])),
  );
}

export function useUp(store: Store, id: string, by: string): Promise<boolean> {
  return store.transact((db) => {
    if (db.get('settings', id)?.value !== 'fresh') return false;
    db.put('settings', { id, value: `used by ${by}` });
    return true;
  });
}

/** Defines a test only if the log has the feature, so that it is not counted as skipped otherwise. */
const itIf = (applies: boolean): typeof it | (() => void) => (applies ? it : () => {});
const describeIf = (applies: boolean): typeof describe | (() => void) =>
  applies ? describe : () => {};

/** Defines the tests that every log must pass. They use a store, because only stores use logs. */
export function logConformance(
  name: string,
  makePlace: () => Promise<LogPlace>,
  traits: LogTraits,
): void {
  describe(`${name}, like every log,`, () => {
    let place: LogPlace | undefined;
    const stores = new Set<Store>();

    async function makeWorld(): Promise<{ open(): Promise<Store>; place: LogPlace }> {
      const made = await makePlace();
      place = made;
      return {
        place: made,
        async open() {
          const store = createStore(await made.open());
          stores.add(store);
          return store;
        },
      };
    }

    afterEach(async () => {
      for (const store of stores) await store.close();
      stores.clear();
      await place?.dispose();
    });

    it('keeps acknowledged writes after a restart', async () => {
      const { open } = await makeWorld();
      const before = await open();
      await put(before, 'a', '1');
      await put(before, 'b', 'ä \u{1f600} \0 \ud800 "quoted"');
      await before.transact((db) => db.delete('settings', 'a'));
      await before.close();

      const after = await open();
      expect(await read(after)).toEqual({ b: 'ä \u{1f600} \0 \ud800 "quoted"' });
    });

    it('says whether other processes may use its storage', async () => {
      await makeWorld();
      const log = await place!.open();
      stores.add(createStore(log));
      expect(log.isShared).toBe(traits.isShared);
    });

    it('returns entries in the order in which they were written', async () => {
      const { open } = await makeWorld();
      const before = await open();
      for (let n = 0; n < 25; n += 1) await put(before, 'a', `${n}`);
      await before.close();

      const seen: unknown[] = [];
      const log = await place!.open();
      const after = createStore(log, {
        onChange: ([, , row]) => seen.push((row as { value: string }).value),
      });
      stores.add(after);
      await read(after);
      expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `${n}`));
    });

    it('notifies an observer of each change once', async () => {
      const { place: made } = await makeWorld();
      const seen: unknown[] = [];
      const store = createStore(await made.open(), { onChange: ([, id]) => seen.push(id) });
      stores.add(store);
      await put(store, 'a', '1');
      await put(store, 'b', '1');
      await read(store);
      expect(seen).toEqual(['a', 'b']);
    });

    it('makes either all writes of a transaction visible or none', async () => {
      const { open } = await makeWorld();
      const before = await open();
      await before.transact((db) => {
        for (let n = 0; n < 50; n += 1) db.put('settings', { id: `row-${n}`, value: 'x' });
      });
      const failed = before.transact((db) => {
        db.put('settings', { id: 'row-0', value: 'changed' });
        db.delete('settings', 'row-1');
        throw new Error('No');
      });
      await expect(failed).rejects.toThrow('No');
      await before.close();

      const found = await read(await open());
      expect(Object.keys(found)).toHaveLength(50);
      expect(found['row-0']).toBe('x');
    });

    it('stores one entry for transactions that waited together', async () => {
      const { open, place: made } = await makeWorld();
      const store = await open();
      await put(store, 'first', 'x');
      const before = await made.entries();
      await Promise.all(Array.from({ length: 40 }, (_, n) => put(store, `row-${n}`, 'x')));
      expect(await made.entries()).toBe(before + 1);
      expect(Object.keys(await read(store))).toHaveLength(41);
    });

    it('stores no entry for transactions without writes', async () => {
      const { open, place: made } = await makeWorld();
      const store = await open();
      await put(store, 'a', 'x');
      const before = await made.entries();
      await read(store);
      expect(await made.entries()).toBe(before);
    });

    it('rejects all transactions of a failed append, rolls them back, and continues', async () => {
      const { open } = await makeWorld();
      const store = await open();
      await put(store, 'a', 'before');

      const together = await Promise.allSettled([
        put(store, 'a', 'lost'),
        store.transact((db) => db.put('settings', unwritable())),
        put(store, 'a', 'lost again'),
        put(store, 'b', 'lost'),
      ]);
      expect(together.map(({ status }) => status)).toEqual(together.map(() => 'rejected'));
      const [first] = together as PromiseRejectedResult[];
      expect(first!.reason).toBeInstanceOf(LogError);
      expect(first!.reason).toMatchObject({ code: 'append_failed' });
      expect(await read(store)).toEqual({ a: 'before' });

      await put(store, 'c', 'after');
      await store.close();
      expect(await read(await open())).toEqual({ a: 'before', c: 'after' });
    });

    itIf(traits.compacts)('replaces old entries with a snapshot once they outgrow it', async () => {
      const { open, place: made } = await makeWorld();
      const before = await open();
      const value = 'x'.repeat(100_000);
      let most = 0;
      for (let n = 0; n < 100; n += 1) {
        await put(before, `row-${n % 3}`, `${n} ${value}`);
        most = Math.max(most, await made.entries());
      }
      expect(most).toBeGreaterThan(5);
      expect(most).toBeLessThan(20);
      await before.close();

      const after = await open();
      expect(await read(after)).toEqual({
        'row-0': `99 ${value}`,
        'row-1': `97 ${value}`,
        'row-2': `98 ${value}`,
      });
    });

    itIf(traits.compacts)('keeps a state of many rows through a snapshot', async () => {
      const { open, place: made } = await makeWorld();
      const before = await open();
      const rows = 45_000;
      await before.transact((db) => {
        for (let n = 0; n < rows; n += 1) db.put('settings', { id: `row-${n}`, value: 'first' });
      });
      // The state is larger than a megabyte, so a snapshot is written at once, in parts of 1,000 changes.
      expect(await made.entries()).toBe(45);
      await put(before, 'row-0', 'next');
      await before.close();

      const after = await open();
      // The parts also count as one snapshot for the next process, so it does not write another one yet.
      await put(after, 'row-0', 'last');
      expect(await made.entries()).toBe(47);
      const found = await read(after);
      expect(Object.keys(found)).toHaveLength(rows);
      expect(found).toMatchObject({ 'row-0': 'last', 'row-44999': 'first' });
    });

    itIf(traits.compacts)('soon erases deleted and replaced data from its files', async () => {
      const { place: made } = await makeWorld();
      const clock = createManualClock();
      const store = createStore(await made.open(), { clock });
      stores.add(store);
      await putPersonalData(store);
      expect(await made.contains!('key-1-of-alice')).toBe(true);
      await deletePersonalData(store);
      await store.transact((db) => db.put('settings', { id: 'a', value: 'still-there' }));

      await clock.pass(1_000);
      await waitFor(async () => {
        for (const text of ['alice', 'rotated-whsec'])
          expect(await made.contains!(text), text).toBe(false);
      });
      expect(await made.contains!('still-there')).toBe(true);
      expect(await read(store)).toEqual({ a: 'still-there' });
    });

    itIf(traits.compacts)('erases deleted and replaced data when it is closed', async () => {
      const { open, place: made } = await makeWorld();
      const before = await open();
      await putPersonalData(before);
      await deletePersonalData(before);
      await before.close();
      for (const text of ['alice', 'rotated-whsec'])
        expect(await made.contains!(text), text).toBe(false);
      const after = await open();
      expect(await after.transact((db) => [db.count('keys'), db.count('sessions')])).toEqual([
        0, 0,
      ]);
    });

    itIf(traits.compacts)('drops the entries of a state that has become small', async () => {
      const { open, place: made } = await makeWorld();
      const before = await open();
      const ids = Array.from({ length: 20_000 }, (_, n) => `row-${n}-${'x'.repeat(100)}`);
      await before.transact((db) => {
        for (const id of ids) db.put('settings', { id, value: 'x'.repeat(100) });
      });
      expect(await made.entries()).toBe(20);
      await before.transact((db) => {
        for (const id of ids) db.delete('settings', id);
      });
      // Deleting the rows has logged half as much as adding them, but there is nothing left.
      expect(await made.entries()).toBe(1);
    });

    itIf(traits.compacts)(
      'drops the entries of a state that has become much smaller since its snapshot in parts',
      async () => {
        const { open, place: made } = await makeWorld();
        const before = await open();
        const ids = Array.from({ length: 20_000 }, (_, n) => `row-${n}-${'x'.repeat(100)}`);
        await before.transact((db) => {
          for (const id of ids) db.put('settings', { id, value: 'x'.repeat(100) });
        });
        await before.close();
        // Another process reads the parts. More rows are left than the last part has.
        const after = await open();
        await after.transact((db) => {
          for (const id of ids.slice(1_500)) db.delete('settings', id);
        });
        expect(await made.entries()).toBe(2);
      },
    );

    itIf(traits.refusesNewerFormat === true)('refuses a newer format', async () => {
      const { open, place: made } = await makeWorld();
      await makeState(open);
      await made.setFormat?.(LOG_FORMAT + 1);
      await expect(open()).rejects.toMatchObject({ code: 'newer_format' });
      await made.setFormat?.(LOG_FORMAT);
      expect(await read(await open())).toEqual({ a: 'x' });
    });

    itIf(!traits.isShared)('cannot be opened again until it is closed', async () => {
      const { open } = await makeWorld();
      const first = await open();
      await put(first, 'a', 'x');
      await expect(open()).rejects.toMatchObject({ code: 'locked' });
      await put(first, 'b', 'x');
      await first.close();
      expect(await read(await open())).toEqual({ a: 'x', b: 'x' });
    });

    describeIf(traits.isShared)('opened by several processes', () => {
      it('shows each process the writes of the others', async () => {
        const { open } = await makeWorld();
        const [one, two] = [await open(), await open()];
        await put(one, 'a', '1');
        await put(two, 'b', '2');
        await put(one, 'a', '3');
        expect(await read(two)).toEqual({ a: '3', b: '2' });
        expect(await read(one)).toEqual({ a: '3', b: '2' });
      });

      it('lets exactly one process consume each session', async () => {
        const { open } = await makeWorld();
        const holders = [await open(), await open(), await open()];
        const ids = Array.from({ length: 60 }, (_, n) => `session-${n}`);
        await Promise.all(ids.map((id, n) => put(holders[n % 3]!, id, 'fresh')));

        const wins = await Promise.all(
          holders.flatMap((store, h) => ids.map((id) => useUp(store, id, `${h}`))),
        );
        expect(wins.filter(Boolean)).toHaveLength(ids.length);
        const [one, two, three] = await Promise.all(holders.map(read));
        expect(one).toEqual(two);
        expect(two).toEqual(three);
      });

      it('does not show a failed append of one process to the others', async () => {
        const { open } = await makeWorld();
        const [one, two] = [await open(), await open()];
        await put(one, 'a', 'before');
        await expect(
          one.transact((db) => {
            db.delete('settings', 'a');
            db.put('settings', unwritable());
          }),
        ).rejects.toBeInstanceOf(LogError);
        expect(await read(two)).toEqual({ a: 'before' });
        await put(two, 'b', 'after');
        expect(await read(one)).toEqual({ a: 'before', b: 'after' });
      });

      itIf(traits.compacts)(
        'reloads the state in a process whose unread entries a snapshot has replaced',
        async () => {
          const { open } = await makeWorld();
          const [busy, idle] = [await open(), await open()];
          await put(idle, 'dropped', 'x');
          await busy.transact((db) => db.delete('settings', 'dropped'));
          const value = 'x'.repeat(100_000);
          for (let n = 0; n < 40; n += 1) await put(busy, `row-${n % 3}`, `${n} ${value}`);

          expect(await read(idle)).toEqual(await read(busy));
          await put(idle, 'still', 'writes');
          expect(await read(busy)).toMatchObject({ still: 'writes' });
        },
      );
    });
  });
}

/** Writes rows with personal data and secrets. */
async function putPersonalData(store: Store): Promise<void> {
  for (let n = 0; n < 50; n += 1) {
    await store.transact((db) => {
      db.put('keys', { id: `${n}`, value: `key-${n}-of-alice` } as KeyRow);
      db.put('sessions', { id: `${n}`, externalUserId: `alice-${n}` } as SessionRow);
      db.put('endpoints', { id: 'e', secret: `rotated-whsec-${n}` } as EndpointRow);
    });
  }
}

async function deletePersonalData(store: Store): Promise<void> {
  await store.transact((db) => db.put('endpoints', { id: 'e', secret: 'current' } as EndpointRow));
  for (let n = 0; n < 50; n += 1) {
    await store.transact((db) => {
      db.delete('keys', `${n}`);
      db.delete('sessions', `${n}`);
    });
  }
}

async function makeState(open: () => Promise<Store>): Promise<void> {
  const store = await open();
  await put(store, 'a', 'x');
  await store.close();
}

/**
 * Returns a row that neither JSON nor structured clone can copy, so that the write fails as on a full disk.
 */
function unwritable(): { id: string; value: string } {
  const toJSON = (): never => {
    throw new Error('This row cannot be written');
  };
  const row = { id: 'unwritable', value: 'x', toJSON };
  return row;
}
