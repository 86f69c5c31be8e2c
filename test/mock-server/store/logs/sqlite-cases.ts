import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { LOG_FORMAT } from '../../../../mock-server/store/log.ts';
import { openSqliteLog } from '../../../../mock-server/store/logs/sqlite.ts';
import { createStore } from '../../../../mock-server/store/store.ts';

export const MODULE = fileURLToPath(
  new URL('../../../../mock-server/store/logs/sqlite.ts', import.meta.url),
);

/** Returns the name and the bytes of every file. */
export function readFolder(path: string): Record<string, string> {
  const names = readdirSync(path, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    names.map((entry) => [
      entry.name,
      entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'base64') : 'folder',
    ]),
  );
}

export function sumFolder(path: string): string {
  return execFileSync('sh', ['-c', 'cksum *'], { cwd: path, encoding: 'utf8' });
}

/** Tells whether a file in a folder contains a text. Another process reads them, as for `sumFolder`. */
export function isInFiles(folder: string, text: string): boolean {
  const { status } = spawnSync('grep', ['-rqaF', text, folder]);
  return status === 0;
}

export function catchError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was not refused');
}

/** Expects one sentence with the action, the path, the reason and the next step, without a full stop. */
export function expectSentence(message: string, file: string): void {
  expect(message).toMatch(/^Cannot open the data file "/);
  expect(message).toContain(`"${file}": `);
  expect(message).toMatch(/; .+[^.]$/);
  expect(message).not.toContain('\n');
}

export async function countRows(file: string): Promise<number> {
  const store = createStore(openSqliteLog(file));
  const count = await store.transact((db) => db.count('settings'));
  await store.close();
  return count;
}

export function openInAnotherProcess(file: string): string {
  return runScript(
    `try { openSqliteLog(${JSON.stringify(file)}); console.log('opened') } catch (e) { console.log(e.code) }`,
  ).stdout.trim();
}

export function runScript(
  script: string,
  as: { uid?: number } = {},
): { stdout: string; stderr: string } {
  return spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { openSqliteLog } from ${JSON.stringify(MODULE)};\n${script}`,
    ],
    { encoding: 'utf8', ...as },
  );
}

/** SQLite's default page size. */
const PAGE_BYTES = 4096;

export interface UnusableFile {
  readonly what: string;
  /** Creates the file and, in cases of a killed server, the files that the server left next to it. */
  readonly make: (file: string) => void | Promise<void>;
  readonly code: 'unreadable' | 'newer_format';
  readonly says: RegExp;
  readonly why: string;
}

/** Files that must be rejected and must not change. */
export const UNUSABLE: readonly UnusableFile[] = [
  {
    what: 'a text file',
    make: (file) => writeFileSync(file, 'Dear diary,\n'.repeat(1_000)),
    code: 'unreadable',
    says: /not a data file of ofage/,
    why: 'a typo in --data must not destroy a file',
  },
  {
    what: 'another program’s database with a write-ahead log',
    make: (file) => makeForeign(file, 'PRAGMA journal_mode = WAL'),
    code: 'unreadable',
    says: /another program/,
    why: 'opening it already creates two more files',
  },
  {
    what: 'another program’s database with a write-ahead log that has no checkpoint',
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
    why: 'closing a normal connection would run the checkpoint',
  },
  {
    what: 'a data file with damaged pages',
    make: async (file) => {
      await makeState(file);
      damage(file);
    },
    code: 'unreadable',
    says: /damaged/,
    why: 'the header is intact, so only reading the pages finds it',
  },
  {
    what: 'a data file with damaged free pages',
    make: async (file) => {
      await makeState(file);
      change(file, 'DELETE FROM entries WHERE seq <= 20');
      // Bytes 32 to 35 of the header hold the number of the page that lists the free pages.
      const page = readFileSync(file).readUInt32BE(32);
      overwrite(file, (page - 1) * PAGE_BYTES, PAGE_BYTES);
    },
    code: 'unreadable',
    says: /damaged/,
    why: 'every entry can be read, but the next write would overwrite data',
  },
  {
    what: 'a data file with an entry that is not JSON',
    make: async (file) => {
      await makeState(file);
      change(file, `UPDATE entries SET body = '{' WHERE seq = 2`);
    },
    code: 'unreadable',
    says: /damaged.*its entry 2 is not JSON/,
    why: 'SQLite checks its pages but not our rows',
  },
  {
    what: 'a data file in a newer format',
    make: async (file) => {
      await makeState(file);
      change(file, `PRAGMA user_version = ${LOG_FORMAT + 1}`);
    },
    code: 'newer_format',
    says: new RegExp(`format is ${LOG_FORMAT + 1}.*up to ${LOG_FORMAT}; update ofage`),
    why: 'data of a newer version may have a different meaning',
  },
  {
    what: 'a data file that a newer version was changing when it was killed',
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
    why: 'the new format number is only in the write-ahead log',
  },
  {
    what: 'a folder',
    make: (file) => void mkdirSync(file),
    code: 'unreadable',
    says: /not a file; use the path/,
    why: 'the path lacks a file name',
  },
];

/** Creates the data file of a server that has stopped properly, about 150 kB. */
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
 * Changes a copy, and gives `file` the bytes that the copy had before it was closed. A `kill -9` leaves the
 * same bytes.
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

/** Creates the data file of a server that was killed while its last entry was in the write-ahead log. */
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

/** Overwrites the second half of a file, in whole pages. */
function damage(file: string): void {
  const { length } = readFileSync(file);
  const start = Math.ceil(length / 2 / PAGE_BYTES) * PAGE_BYTES;
  overwrite(file, start, length - start);
}

/** Overwrites part of a file with invalid bytes. */
function overwrite(file: string, start: number, length: number): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xa5, start, start + length));
}
