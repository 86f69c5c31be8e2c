import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { reasonOf } from '../errors.ts';
import { type Log, LOG_FORMAT, LogError } from '../log.ts';
import { createEntrySequence, type Writing } from './entry-sequence.ts';

/**
 * The application id of the data files, "OfAg" in ASCII. The `file` command and this code use it to
 * distinguish the files from those of other programs.
 */
const APPLICATION_ID = 0x4f664167;

/** The minimum size of an SQLite database. Shorter files that are not empty are rejected as damaged. */
const SHORTEST_BYTES = 512;

/** Options of `openSqliteLog`. */
export interface SqliteLogOptions {
  /** Called with the new path of a file that was moved aside. */
  onMoved?: (movedTo: string) => void;
  /** Called once, after a write, if the open file was deleted or replaced. Its state ends with the log. */
  onLost?: () => void;
}

/**
 * Opens a log that keeps the state in one SQLite file. The state survives `kill -9`. The file is locked
 * exclusively until `close`. A file of an older format is moved aside, and the log starts empty. Any other
 * file that cannot be used is left unchanged, byte for byte.
 *
 * @param path The path of the file, which is created if it does not exist. Its folder must exist.
 * @throws LogError `unreadable` (another program's file, damaged, no permission), `newer_format`, `locked`
 *   (another server uses it). Its message says how to fix the problem.
 */
export function openSqliteLog(path: string, { onMoved, onLost }: SqliteLogOptions = {}): Log {
  const file = resolve(path);
  const Sqlite = requireSqlite(file);
  assertAccessible(file);
  if (inspect(Sqlite, file) === 'older') {
    makePrivate(file);
    const movedTo = moveAside(Sqlite, file);
    if (movedTo !== null) onMoved?.(movedTo);
  }
  makePrivate(file);
  // A server that was killed may have deleted entries that are still in the write-ahead log or in the file.
  const hasRemains = existsSync(`${file}-wal`);
  const db = open(Sqlite, file);
  // A server that was killed while it moved the file has left its lock.
  rmSync(toLockFile(file), { force: true });
  return createLog(db, file, { hasRemains, checkLoss: createLossCheck(file, onLost) });
}

/** Returns a function that calls `onLost` once if the path no longer leads to the present file. */
function createLossCheck(file: string, onLost: (() => void) | undefined): () => void {
  const { ino } = statSync(file);
  let isLost = false;
  return () => {
    if (isLost || statSync(file, { throwIfNoEntry: false })?.ino === ino) return;
    isLost = true;
    onLost?.();
  };
}

/**
 * Lets only the owner read the file, because it has secret keys and the ids of users. SQLite gives its mode
 * to the companion files. Those of a killed server, and files of an earlier version, get it here.
 */
function makePrivate(file: string): void {
  try {
    // Nobody holds a lock on a file that does not exist, so it may be opened: see inspect().
    if (!existsSync(file)) writeFileSync(file, '', { flag: 'wx', mode: OWNER_ONLY });
    const path = realpathSync(file);
    for (const own of [path, `${path}-wal`, `${path}-shm`])
      if (existsSync(own)) chmodSync(own, OWNER_ONLY);
  } catch {
    // Some file systems have no modes, and only its owner may change a file. Opening the file reports the
    // other reasons.
  }
}

const OWNER_ONLY = 0o600;

type Sqlite = typeof DatabaseSync;

/**
 * Loads SQLite at run time instead of importing it, so that everything else works in a Node without SQLite.
 */
function findSqlite(): Sqlite | undefined {
  const getModule = process.getBuiltinModule as ((id: string) => object | undefined) | undefined;
  const module = getModule?.('node:sqlite') as { DatabaseSync: Sqlite } | undefined;
  return module?.DatabaseSync;
}

/** Tells whether this Node has SQLite: from 22.13 on, without an option. */
export function hasSqlite(): boolean {
  return findSqlite() !== undefined;
}

function requireSqlite(file: string): Sqlite {
  const Sqlite = findSqlite();
  if (Sqlite) return Sqlite;
  throw unreadable(
    file,
    `a data file needs Node 22.13 or newer, but this is Node ${process.versions.node}; update Node, or keep state in memory: ofage-mock --ephemeral`,
  );
}

function assertAccessible(file: string): void {
  const folder = dirname(file);
  if (!existsSync(folder)) {
    throw unreadable(
      file,
      `the folder "${folder}" does not exist; create it or use a different file`,
    );
  }
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && !found.isFile())
      throw unreadable(file, 'it is not a file; use the path of a file');
    accessSync(found ? file : folder, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof LogError) throw error;
    throw unreadable(
      file,
      'this user has no permission to read and write it; change its permissions or use a different file',
      error,
    );
  }
}

/** The state of a usable file: it has an older format, or it is empty or has the current format. */
type Inspected = 'older' | 'current';

/**
 * Throws unless an existing file is intact and belongs to ofage. The check does not change the file or its
 * folder, whereas an ordinary connection would leave files beside it, or move the write-ahead log of a
 * crashed server into it. No code other than SQLite may open the file, because on POSIX a process that
 * closes any descriptor of a file loses all locks that it holds on the file, and this process may hold one.
 */
function inspect(Sqlite: Sqlite, file: string): Inspected {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return 'current';
  if (size < SHORTEST_BYTES) throw damaged(file, `${size} bytes`);
  // A write-ahead log means that a server uses the file or was killed, so locks must be respected. If there
  // is none, no process is writing, and `immutable` keeps SQLite from creating files.
  const isPlain = !existsSync(`${file}-wal`);
  const hadIndex = existsSync(`${file}-shm`);
  let db: DatabaseSync | undefined;
  try {
    const url = pathToFileURL(file);
    if (isPlain) url.searchParams.set('immutable', '1');
    db = new Sqlite(url, { readOnly: true });
    return inspectOurs(db, file);
  } catch (error) {
    throw toOpenError(file, error);
  } finally {
    db?.close();
    if (!hadIndex) rmSync(`${file}-shm`, { force: true });
  }
}

function inspectOurs(db: DatabaseSync, file: string): Inspected {
  const application = readNumber(db, 'PRAGMA application_id');
  const format = readFormat(db);
  // If the process was killed before the first table was created, the file counts as empty.
  if (application === 0 && readNumber(db, 'SELECT count(*) FROM sqlite_schema') === 0)
    return 'current';
  if (application !== APPLICATION_ID) {
    throw unreadable(
      file,
      'it is a database of another program; use a different file or move this one away',
    );
  }
  if (format > LOG_FORMAT) {
    throw new LogError(
      'newer_format',
      `Cannot open the data file "${file}": its format is ${format}, but this version of ofage reads up to ${LOG_FORMAT}; update ofage or use a different file`,
    );
  }
  // Only code of that format knows which tables and entries such a file has, so they are not checked.
  if (format < LOG_FORMAT) return 'older';
  const [problem] = db.prepare('PRAGMA quick_check(1)').all();
  const text = String(Object.values(problem ?? {})[0]);
  // The result may start with a line that names the database. The last line describes the damage.
  if (text !== 'ok') throw damaged(file, text.split('\n').at(-1) ?? text);
  assertJson(db, file);
  return 'current';
}

/** Throws if the parser that reads the entries later would throw. */
function assertJson(db: DatabaseSync, file: string): void {
  // SQLite is fast, but it also refuses some entries that are JSON, such as deeply nested ones.
  const suspects = db.prepare('SELECT seq, body FROM entries WHERE NOT json_valid(body)');
  for (const { seq, body } of suspects.iterate()) {
    try {
      JSON.parse(String(body));
    } catch {
      throw damaged(file, `its entry ${String(seq)} is not JSON`);
    }
  }
}

/**
 * Renames a file of an older format, with the contents of its write-ahead log. Returns the new path, or null
 * if another server has moved the file meanwhile.
 *
 * Three files cannot be renamed at once, so that a crash in between would separate the newest entries from
 * the others. Leaving the WAL mode first moves the write-ahead log into the file and deletes it, so that one
 * rename is enough. The file's lock is held until after the rename.
 *
 * SQLite finds a write-ahead log by its name. If another server moved the file after this one had opened it,
 * this one would take the new file's log for the old file's, and write it into the old file. A lock on a
 * file of its own, which a crash releases, therefore lets only one server at a time open an older file.
 */
function moveAside(Sqlite: Sqlite, file: string): string | null {
  const lockFile = toLockFile(file);
  let lock: DatabaseSync | undefined;
  let db: DatabaseSync | undefined;
  try {
    lock = new Sqlite(lockFile);
    // MEMORY, because a journal would be one more file.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    if (inspect(Sqlite, file) === 'current') return null;
    db = new Sqlite(file);
    // The journal mode changes only if no other connection exists. BEGIN EXCLUSIVE takes the lock even if a
    // crashed server has changed the mode already.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
    const movedTo = findFreePath(`${file}.format-${readFormat(db)}`);
    rmSync(`${file}-shm`, { force: true });
    renameSync(file, movedTo);
    return movedTo;
  } catch (error) {
    throw toOpenError(file, error);
  } finally {
    db?.close();
    if (lock?.isTransaction) rmSync(lockFile, { force: true });
    lock?.close();
  }
}

function toLockFile(file: string): string {
  return `${file}-moving`;
}

function findFreePath(path: string): string {
  let free = path;
  for (let n = 2; existsSync(free); n += 1) free = `${path}-${n}`;
  return free;
}

function readFormat(db: DatabaseSync): number {
  return readNumber(db, 'PRAGMA user_version');
}

/** Opens the file for writing: locks it, enables the write-ahead log and creates the table. */
function open(Sqlite: Sqlite, file: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new Sqlite(file);
    // With secure_delete, deleted entries are overwritten in the pages that remain in use. FAST leaves them in
    // free pages, which a VACUUM removes later.
    // EXCLUSIVE keeps the lock from the first read on. With NORMAL, a commit is not synced to disk, but the
    // operating system has it, so it survives a crash of this process.
    db.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA secure_delete = FAST;
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

interface LogState {
  /** True if the file may contain deleted entries. */
  readonly hasRemains: boolean;
  checkLoss(): void;
}

function createLog(db: DatabaseSync, file: string, { checkLoss, ...state }: LogState): Log {
  let { hasRemains } = state;
  const select = db.prepare('SELECT seq, body FROM entries WHERE seq > ? ORDER BY seq');
  const insert = db.prepare('INSERT INTO entries (seq, body) VALUES (?, ?)');
  const remove = db.prepare('DELETE FROM entries WHERE seq <= ?');
  const sequence = createEntrySequence();

  function store({ entries, isSnapshot }: Writing): void {
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const { seq, body } of entries) insert.run(seq, body);
      if (isSnapshot) remove.run(sequence.lastSeq);
      db.exec('COMMIT');
    } catch (error) {
      // After some failures, such as a full disk, SQLite has already rolled back the transaction.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * Removes what deleted entries have left in the file and in its write-ahead log. The state is durable
   * without it, so a failure, such as a full disk, is not an error. It is tried again with the next snapshot.
   */
  function removeRemains(): void {
    try {
      if (readNumber(db, 'PRAGMA freelist_count') > 0) db.exec('VACUUM');
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      hasRemains = false;
    } catch {
      hasRemains = true;
    }
  }

  return {
    isShared: false,
    get hasErased() {
      return sequence.hasErased || hasRemains;
    },
    async commit(batch) {
      // Reads all entries at the start and none later, because no other process can write.
      for (const { seq, body } of select.iterate(sequence.lastSeq)) {
        try {
          sequence.read(batch, { seq: Number(seq), body: String(body) });
        } catch (error) {
          throw damaged(file, reasonOf(error), error);
        }
      }
      try {
        const writing = sequence.run(batch);
        if (writing) {
          store(writing);
          writing.stored();
          checkLoss();
        }
        if (writing?.isSnapshot || (hasRemains && batch.mustErase)) removeRemains();
      } catch (error) {
        throw new LogError(
          'append_failed',
          `Cannot write to the data file "${file}": ${reasonOf(error)}; the change was not made`,
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

// SQLite's primary result codes, which are the lowest byte of the extended ones.
const BUSY = 5;
const IO_ERROR = 10;
const FULL = 13;
const CANNOT_OPEN = 14;

/** Space that SQLite needs to open a file, for the index of its write-ahead log. Bytes. */
const ROOM_BYTES = 65_536;

/** Describes why a data file could not be opened, and how to fix it. */
export function toOpenError(file: string, error: unknown): LogError {
  if (error instanceof LogError) return error;
  // An error of the file system, such as that of a rename.
  if ((error as { syscall?: unknown }).syscall !== undefined)
    return unreadable(
      file,
      `the file system refused it (${reasonOf(error)}); close programs that use the file, make its folder writable, or use a different file`,
      error,
    );
  const code = Number((error as { errcode?: unknown }).errcode) & 0xff;
  if (code === FULL || ((code === IO_ERROR || code === CANNOT_OPEN) && isDiskFull(file)))
    return unreadable(
      file,
      'the disk is full; free some space and start again, and keep the file and its companion files where they are: no data is lost',
      error,
    );
  switch (code) {
    case BUSY:
      return new LogError(
        'locked',
        `Cannot open the data file "${file}": another server is using it; stop that server or use a different file`,
        { cause: error },
      );
    case IO_ERROR:
      return unreadable(
        file,
        `the disk is full or failing (${reasonOf(error)}); free some space or check the disk and start again, and keep the file and its companion files where they are, because they contain the newest entries`,
        error,
      );
    case CANNOT_OPEN:
      return unreadable(
        file,
        'files cannot be created next to it; make its folder writable or use a different file',
        error,
      );
    default:
      return damaged(file, reasonOf(error), error);
  }
}

/** Advises to move the companion files too, because the write-ahead log contains the newest entries. */
export function damaged(file: string, reason: string, cause?: unknown): LogError {
  return unreadable(
    file,
    `it is damaged or not a data file of ofage (${reason}); use a different file, or move this one and its companion files away to start with an empty state`,
    cause,
  );
}

export function unreadable(file: string, reason: string, cause?: unknown): LogError {
  return new LogError('unreadable', `Cannot open the data file "${file}": ${reason}`, { cause });
}

/** Tells whether the disk is full, because SQLite often reports that as an I/O error. */
function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(dirname(file));
    return bavail * bsize < ROOM_BYTES || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}
