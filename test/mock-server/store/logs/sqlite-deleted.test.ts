import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqliteLog } from '../../../../mock-server/store/logs/sqlite.ts';
import type { EndpointRow } from '../../../../mock-server/store/rows.ts';
import { createStore } from '../../../../mock-server/store/store.ts';
import { aFolder } from '../../../support/folder.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { asKilled, isInFiles } from './sqlite-cases.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = aFolder();
  file = join(folder, 'state.db');
});

describe('deleted data in the file of a killed server', () => {
  const secret = 'whsec-of-alice';

  /** Opens the file, and waits until it does not contain the secret. */
  async function expectErased(): Promise<void> {
    expect(isInFiles(folder, secret)).toBe(true);
    const clock = createManualClock();
    const store = createStore(openSqliteLog(file), { clock });
    await store.transact((db) => db.count('endpoints'));
    await clock.pass(1_000);
    expect(isInFiles(folder, secret)).toBe(false);
    await store.close();
  }

  it('is erased if it was killed before that', async () => {
    await asKilled(file, async (during) => {
      const store = createStore(openSqliteLog(during), { clock: createManualClock() });
      await store.transact((db) => db.put('endpoints', { id: 'e', secret } as EndpointRow));
      await store.transact((db) => db.delete('endpoints', 'e'));
      return () => store.close();
    });
    rmSync(`${file}-during`);
    await expectErased();
  });

  it.each(['DELETE FROM entries', 'UPDATE entries SET body = \'{"changes":[]}\''])(
    'is erased if it was killed in between, after %s',
    async (sql) => {
      const store = createStore(openSqliteLog(file));
      await store.transact((db) => db.put('endpoints', { id: 'e', secret } as EndpointRow));
      await store.transact((db) => db.put('settings', { id: 'a', value: 'x'.repeat(20_000) }));
      await store.close();
      await asKilled(file, (during) => {
        const db = new DatabaseSync(during);
        db.exec(sql);
        return () => db.close();
      });
      rmSync(`${file}-during`);
      await expectErased();
    },
  );
});

describe('a data file that is deleted while it is open', () => {
  it.each<[string, () => void]>([
    ['deleted', () => rmSync(file)],
    ['deleted with its folder', () => rmSync(folder, { recursive: true })],
    [
      'replaced by another file',
      () => {
        rmSync(file);
        writeFileSync(file, 'another file');
      },
    ],
  ])('is reported once, after the next write: %s', async (_how, remove) => {
    const onLost = vi.fn();
    const store = createStore(openSqliteLog(file, { onLost }));
    const put = (id: string): Promise<unknown> =>
      store.transact((db) => db.put('settings', { id, value: 'x' }));
    await put('a');
    await put('b');
    expect(onLost).not.toHaveBeenCalled();
    remove();
    await put('c');
    await put('d');
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(await store.transact((db) => db.count('settings'))).toBe(4);
    await store.close();
  });
});
