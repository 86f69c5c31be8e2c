import { accessSync, constants, existsSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { LOG_FORMAT, LogError, type Log } from '../core/log.ts';
import { createJournal, type Writing } from './journal.ts';
import { reasonOf } from '../core/reason-of.ts';
import { damaged, toOpenError, unreadable } from './sqlite-errors.ts';

/** "OfAg", so that SQLite, `file` and we can tell our files from another program's. */
const APPLICATION_ID = 0x4f664167;

/** No SQLite database is shorter; but SQLite takes something shorter for an empty one. */
const SHORTEST_BYTES = 512;

/**
 * Keeps state in one SQLite file, which survives `kill -9`. The file is held exclusively until `close`,
 * and a file that cannot be used is left byte for byte as it was.
 *
 * @param path Where the file is, or is to be made. Its folder must exist.
 * @throws LogError `unreadable` (not ours, damaged, no permission), `newer_format`, `locked` (another
 * server holds it). Its message says how to go on.
 */
export function openSqliteLog(path: string): Log {
  const file = resolve(path);
  const Sqlite = loadSqlite(file);
  assertPlace(file);
  assertUsable(Sqlite, file);
  return createLog(open(Sqlite, file), file);
}

type Sqlite = typeof DatabaseSync;

/** Asked for here rather than imported: where Node has no SQLite, everything else is to go on working. */
function loadSqlite(file: string): Sqlite {
  const ask = process.getBuiltinModule as ((id: string) => object | undefined) | undefined;
  const module = ask?.('node:sqlite') as { DatabaseSync: Sqlite } | undefined;
  if (module) return module.DatabaseSync;
  throw unreadable(
    file,
    `a data file needs Node 22.13 or newer, and this is Node ${process.versions.node}; update Node, or keep state in memory: ofage-mock --ephemeral`,
  );
}

function assertPlace(file: string): void {
  const folder = dirname(file);
  if (!existsSync(folder)) {
    throw unreadable(file, `the folder "${folder}" does not exist; make it, or name another file`);
  }
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && !found.isFile()) throw unreadable(file, 'it is not a file; name a file');
    accessSync(found ? file : folder, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof LogError) throw error;
    throw unreadable(
      file,
      'this user may not read and write it; change its permissions, or name another file',
      error,
    );
  }
}

/**
 * Throws unless an existing file is whole and ours. It is looked at without a trace: an ordinary
 * connection would leave files beside it, or move a dead server's write-ahead log into it. And it is
 * looked at through SQLite alone: on POSIX, a process that closes any descriptor of a file drops all
 * its locks on it, and this process may be the one that holds it.
 */
function assertUsable(Sqlite: Sqlite, file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  if (size < SHORTEST_BYTES) throw damaged(file, `${size} bytes`);
  // A write-ahead log means a server that holds the file or was killed, so locks count; without one no
  // process can be writing, and `immutable` keeps SQLite from making files.
  const isPlain = !existsSync(`${file}-wal`);
  const hadIndex = existsSync(`${file}-shm`);
  let db: DatabaseSync | undefined;
  try {
    const url = pathToFileURL(file);
    if (isPlain) url.searchParams.set('immutable', '1');
    db = new Sqlite(url, { readOnly: true });
    assertOurs(db, file);
  } catch (error) {
    throw toOpenError(file, error);
  } finally {
    db?.close();
    if (!hadIndex) rmSync(`${file}-shm`, { force: true });
  }
}

function assertOurs(db: DatabaseSync, file: string): void {
  const application = readNumber(db, 'PRAGMA application_id');
  const format = readNumber(db, 'PRAGMA user_version');
  // Killed between its creation and the first table: as good as no file.
  if (application === 0 && readNumber(db, 'SELECT count(*) FROM sqlite_schema') === 0) return;
  if (application !== APPLICATION_ID) {
    throw unreadable(
      file,
      'it is a database of another program; name another file, or move this one away',
    );
  }
  if (format > LOG_FORMAT) {
    throw new LogError(
      'newer_format',
      `Cannot open the data file "${file}": its format is ${format}, and this version of ofage reads up to ${LOG_FORMAT}; update ofage, or name another file`,
    );
  }
  const [problem] = db.prepare('PRAGMA quick_check(1)').all();
  const text = String(Object.values(problem ?? {})[0]);
  // A line that names the database goes before the finding.
  if (text !== 'ok') throw damaged(file, text.split('\n').at(-1) ?? text);
  const broken = readNumber(db, 'SELECT count(*) FROM entries WHERE NOT json_valid(body)');
  if (broken > 0) throw damaged(file, `entries that are not JSON: ${broken}`);
}

/** Opens the file for good: locked, with write-ahead log, with our table. */
function open(Sqlite: Sqlite, file: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new Sqlite(file);
    // EXCLUSIVE keeps the lock from the first read on. Without a sync at each commit (NORMAL) a commit
    // is in the hands of the operating system, which outlives this process.
    db.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
    `);
    if (readNumber(db, 'PRAGMA application_id') !== APPLICATION_ID) {
      db.exec(`
        BEGIN IMMEDIATE;
        CREATE TABLE entries (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
        PRAGMA application_id = ${APPLICATION_ID};
        PRAGMA user_version = ${LOG_FORMAT};
        COMMIT;
      `);
    }
    return db;
  } catch (error) {
    db?.close();
    throw toOpenError(file, error);
  }
}

function readNumber(db: DatabaseSync, sql: string): number {
  return Number(Object.values(db.prepare(sql).get() ?? {})[0]);
}

function createLog(db: DatabaseSync, file: string): Log {
  const select = db.prepare('SELECT seq, body FROM entries WHERE seq > ? ORDER BY seq');
  const insert = db.prepare('INSERT INTO entries (seq, body) VALUES (?, ?)');
  const remove = db.prepare('DELETE FROM entries WHERE seq <= ?');
  const journal = createJournal();

  function store({ rows, isSnapshot }: Writing): void {
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const { seq, body } of rows) insert.run(seq, body);
      if (isSnapshot) remove.run(journal.seen);
      db.exec('COMMIT');
    } catch (error) {
      // After some failures, such as a full disk, SQLite has already rolled back by itself.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    async commit(turn) {
      // Reads everything at the start and nothing later, because no other process can write.
      for (const { seq, body } of select.iterate(journal.seen)) {
        try {
          journal.read(turn, { seq: Number(seq), body: String(body) });
        } catch (error) {
          throw damaged(file, reasonOf(error), error);
        }
      }
      try {
        const writing = journal.run(turn);
        if (!writing) return;
        store(writing);
        journal.stored(writing);
      } catch (error) {
        throw new LogError(
          'append_failed',
          `Cannot write to the data file "${file}": ${reasonOf(error)}; what was asked for has not been done`,
          { cause: error },
        );
      }
    },
    async close() {
      // Closing moves the write-ahead log into the file and removes it.
      if (db.isOpen) db.close();
    },
  };
}
