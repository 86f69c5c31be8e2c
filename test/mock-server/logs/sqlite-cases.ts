import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { LOG_FORMAT } from '../../../mock-server/core/log.ts';
import { createStore } from '../../../mock-server/core/store.ts';
import { openSqliteLog } from '../../../mock-server/logs/sqlite.ts';

/** SQLite's usual page. */
const PAGE_BYTES = 4096;

export interface UnusableFile {
  readonly what: string;
  /** Makes the file, and what a killed server would have left beside it. */
  readonly make: (file: string) => void | Promise<void>;
  readonly code: 'unreadable' | 'newer_format';
  readonly says: RegExp;
  readonly why: string;
}

/** Files that must be refused and left exactly as they are. */
export const UNUSABLE: readonly UnusableFile[] = [
  {
    what: 'a text file',
    make: (file) => writeFileSync(file, 'Dear diary,\n'.repeat(1_000)),
    code: 'unreadable',
    says: /not a data file of ofage/,
    why: '--data takes a path, and a slip of the hand must not cost a file',
  },
  {
    what: 'a file of one byte',
    make: (file) => writeFileSync(file, 'x'),
    code: 'unreadable',
    says: /not a data file of ofage/,
    why: 'shorter than the header that tells',
  },
  {
    what: 'another program’s database',
    make: (file) => makeForeign(file, 'PRAGMA user_version = 1'),
    code: 'unreadable',
    says: /another program/,
    why: 'SQLite would gladly put our table beside theirs',
  },
  {
    what: 'another program’s database with write-ahead log',
    make: (file) => makeForeign(file, 'PRAGMA journal_mode = WAL'),
    code: 'unreadable',
    says: /another program/,
    why: 'merely opening one leaves two files beside it',
  },
  {
    what: 'another program’s database with a write-ahead log that was not moved in',
    make: (file) =>
      asKilled(file, (during) => {
        const db = new DatabaseSync(during);
        db.exec(
          'PRAGMA journal_mode = WAL; CREATE TABLE notes (text); INSERT INTO notes VALUES (1)',
        );
        return () => db.close();
      }),
    code: 'unreadable',
    says: /another program/,
    why: 'closing an ordinary connection would move it in',
  },
  {
    what: 'half a data file',
    make: async (file) => {
      await makeState(file);
      writeFileSync(file, readFileSync(file).subarray(0, 5_000));
    },
    code: 'unreadable',
    says: /damaged/,
    why: 'a copy that was interrupted',
  },
  {
    what: 'a data file with damaged pages',
    make: async (file) => {
      await makeState(file);
      damage(file);
    },
    code: 'unreadable',
    says: /damaged/,
    why: 'the header is whole, so only a look at the pages tells',
  },
  {
    what: 'a data file with damaged pages beside a killed server’s write-ahead log',
    make: async (file) => {
      await makeKilledState(file);
      damage(file);
    },
    code: 'unreadable',
    says: /damaged/,
    why: 'both files are evidence, for whoever wants to rescue something',
  },
  {
    what: 'a data file with damaged free pages',
    make: async (file) => {
      await makeState(file);
      change(file, 'DELETE FROM entries WHERE seq <= 20');
      // The header's bytes 32 to 35 say which page lists the free ones.
      const page = readFileSync(file).readUInt32BE(32);
      overwrite(file, (page - 1) * PAGE_BYTES, PAGE_BYTES);
    },
    code: 'unreadable',
    says: /damaged/,
    why: 'every entry can be read, but the next one would be written over something',
  },
  {
    what: 'a data file whose entries are not entries',
    make: async (file) => {
      await makeState(file);
      change(file, `UPDATE entries SET body = '{' WHERE seq = 2`);
    },
    code: 'unreadable',
    says: /damaged.*not JSON: 1/,
    why: 'SQLite looks at its pages, not at what stands in them',
  },
  {
    what: 'a data file without our table',
    make: async (file) => {
      await makeState(file);
      change(file, 'DROP TABLE entries');
    },
    code: 'unreadable',
    says: /damaged.*no such table/,
    why: 'somebody else has worked on it',
  },
  {
    what: 'a data file of a newer format',
    make: async (file) => {
      await makeState(file);
      change(file, `PRAGMA user_version = ${LOG_FORMAT + 1}`);
    },
    code: 'newer_format',
    says: new RegExp(`format is ${LOG_FORMAT + 1}.*up to ${LOG_FORMAT}; update ofage`),
    why: 'what a newer version wrote may mean something else',
  },
  {
    what: 'a data file that a killed newer version was changing',
    make: async (file) => {
      await makeState(file);
      await asKilled(file, (during) => {
        const db = new DatabaseSync(during);
        db.exec(`PRAGMA user_version = ${LOG_FORMAT + 1}`);
        return () => db.close();
      });
    },
    code: 'newer_format',
    says: /update ofage/,
    why: 'the format number stands in the write-ahead log only',
  },
  {
    what: 'a folder',
    make: (file) => void mkdirSync(file),
    code: 'unreadable',
    says: /not a file; name a file/,
    why: 'a path that ends one name too soon',
  },
];

/** A data file of a server that has stopped as it should: about 150 kB. */
export async function makeState(file: string): Promise<void> {
  const store = createStore(openSqliteLog(file));
  for (let n = 0; n < 30; n += 1) {
    await store.transact((db) => {
      for (let m = 0; m < 50; m += 1) {
        db.put('settings', { id: `row-${n}-${m}`, value: 'x'.repeat(50) });
      }
    });
  }
  await store.close();
}

/**
 * Does something to a copy, and gives `file` the bytes that were there before the copy was closed: what
 * a `kill -9` leaves.
 */
export async function asKilled(
  file: string,
  work: (during: string) => (() => unknown) | Promise<() => unknown>,
): Promise<void> {
  const during = `${file}-during`;
  if (existsSync(file)) cpSync(file, during);
  const close = await work(during);
  cpSync(during, file);
  cpSync(`${during}-wal`, `${file}-wal`);
  await close();
}

/** A data file of a server that was killed after one more entry: the entry is in the write-ahead log. */
export async function makeKilledState(file: string): Promise<void> {
  await makeState(file);
  await asKilled(file, async (during) => {
    const store = createStore(openSqliteLog(during));
    await store.transact((db) => db.put('settings', { id: 'last', value: 'x' }));
    return () => store.close();
  });
}

function makeForeign(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(`${sql}; CREATE TABLE notes (text); INSERT INTO notes VALUES ('theirs')`);
  db.close();
}

/** Changes a data file and closes it properly. */
function change(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

/** Overwrites the second half of a file, page for page. */
function damage(file: string): void {
  const { length } = readFileSync(file);
  const start = Math.ceil(length / 2 / PAGE_BYTES) * PAGE_BYTES;
  overwrite(file, start, length - start);
}

/** Writes nonsense into a file. */
function overwrite(file: string, start: number, length: number): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xa5, start, start + length));
}
