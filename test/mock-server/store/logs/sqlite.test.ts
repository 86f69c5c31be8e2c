import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LOG_FORMAT, LogError } from '../../../../mock-server/store/log.ts';
import { openSqliteLog, toOpenError } from '../../../../mock-server/store/logs/sqlite.ts';
import { createStore } from '../../../../mock-server/store/store.ts';
import { logConformance } from './log-conformance.ts';
import {
  asKilled,
  catchError,
  countRows,
  expectSentence,
  isInFiles,
  makeKilledState,
  makeState,
  MODULE,
  openInAnotherProcess,
  readFolder,
  runScript,
  sumFolder,
  UNUSABLE,
} from './sqlite-cases.ts';

const MOVE_ASIDE = fileURLToPath(new URL('move-aside-child.ts', import.meta.url));
const FULL_DISK = fileURLToPath(new URL('full-disk-child.ts', import.meta.url));

/** The format of the files that these tests call older. */
const OLDER = LOG_FORMAT - 1;

let folder: string;
let file: string;
/** Where a file of an older format goes. */
let moved: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-log-'));
  file = join(folder, 'state.db');
  moved = `${file}.format-${OLDER}`;
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

logConformance(
  'the SQLite log',
  async () => {
    return {
      open: () => openSqliteLog(file),
      async entries() {
        // The file is locked, so read a copy.
        const copy = join(folder, 'copy.db');
        cpSync(file, copy);
        cpSync(`${file}-wal`, `${copy}-wal`);
        const db = new DatabaseSync(copy);
        const { count } = db.prepare('SELECT count(*) AS count FROM entries').get()!;
        db.close();
        return Number(count);
      },
      contains: async (text) => isInFiles(folder, text),
      async setFormat(format) {
        const db = new DatabaseSync(file);
        db.exec(`PRAGMA user_version = ${format}`);
        db.close();
      },
      dispose: async () => {},
    };
  },
  { isShared: false, compacts: true, refusesNewerFormat: true },
);

describe('openSqliteLog()', () => {
  it.each(UNUSABLE)('rejects $what and changes nothing', async ({ make, code, says }) => {
    await make(file);
    const before = readFolder(folder);

    const error = catchError(() => openSqliteLog(file));
    expect(error).toBeInstanceOf(LogError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(says) });
    expectSentence(error.message, file);
    expect(readFolder(folder)).toEqual(before);
  });

  it('rejects a path in a folder that does not exist', () => {
    const file = join(folder, 'nowhere', 'state.db');
    const error = catchError(() => openSqliteLog(file));
    expect(error).toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(/does not exist; create it/),
    });
    expectSentence(error.message, file);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('rejects a file that this user may not read', async () => {
    await makeState(file);
    chmodSync(folder, 0o755);
    chmodSync(file, 0o000);
    // Root may read everything, so a root process runs this as a different user.
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const said = runScript(
      `try { openSqliteLog(${JSON.stringify(file)}) } catch (e) { console.log(e.code, e.message) }`,
      asNobody,
    );
    expect(said.stderr).toBe('');
    expect(said.stdout).toMatch(
      /^unreadable .* this user has no permission .*; change its permissions/,
    );
  });

  it('rejects a file that this process already has open, and keeps its lock', async () => {
    const store = createStore(openSqliteLog(file));
    await store.transact((db) => db.put('settings', { id: 'a', value: 'x' }));
    // `cksum` reads it in a different process, because a process that closes a descriptor of a file drops
    // its own locks on that file (POSIX).
    const before = sumFolder(folder);
    const error = catchError(() => openSqliteLog(file));
    expect(error).toMatchObject({
      code: 'locked',
      message: expect.stringMatching(/another server/),
    });
    expectSentence(error.message, file);
    expect(sumFolder(folder)).toBe(before);
    expect(openInAnotherProcess(file)).toBe('locked');
    await store.close();
    expect(openInAnotherProcess(file)).toBe('opened');
  });

  it('rejects a file that a different program is using, even if it only reads', async () => {
    await makeState(file);
    const reader = new DatabaseSync(file);
    const rows = reader.prepare('SELECT * FROM entries').iterate();
    rows.next();
    expect(catchError(() => openSqliteLog(file))).toMatchObject({ code: 'locked' });
    rows.return?.();
    reader.close();
    await createStore(openSqliteLog(file)).close();
  });

  it('treats an empty file and one whose creation was interrupted as new', async () => {
    const empty = join(folder, 'empty.db');
    writeFileSync(empty, '');
    const cut = join(folder, 'cut.db');
    const db = new DatabaseSync(cut);
    db.exec('PRAGMA journal_mode = WAL');
    db.close();
    expect(statSync(cut).size).toBeGreaterThan(0);
    for (const file of [empty, cut]) {
      const store = createStore(openSqliteLog(file));
      await store.transact((tables) => tables.put('settings', { id: 'a', value: 'x' }));
      await store.close();
      expect(await countRows(file)).toBe(1);
    }
  });

  it('reads every entry that it has written, even with more nesting than SQLite accepts as JSON', async () => {
    const store = createStore(openSqliteLog(file));
    const value = JSON.parse('['.repeat(1_200) + ']'.repeat(1_200)) as string;
    await store.transact((tables) => tables.put('settings', { id: 'a', value }));
    await store.close();
    expect(await countRows(file)).toBe(1);
  });

  it('does not interpret special characters in a path', async () => {
    const odd = join(folder, 'file:a?mode=ro#%41 ü');
    mkdirSync(odd);
    const file = join(odd, ':memory:');
    await makeState(file);
    expect(await countRows(file)).toBe(1_500);
    expect(readdirSync(odd)).toEqual([':memory:']);
  });

  it('prints nothing, not even the warning of Node that SQLite is experimental', () => {
    const { stdout, stderr } = runScript(
      `openSqliteLog(${JSON.stringify(join(folder, 'state.db'))})`,
    );
    expect(stdout + stderr).toBe('');
  });
});

describe('only the owner can read', () => {
  const modes = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [
        name,
        (statSync(join(folder, name)).mode & 0o777).toString(8),
      ]),
    );
  const OURS = { 'state.db': '600', 'state.db-wal': '600' };

  it('a new data file and its companion files, whatever the umask is', async () => {
    const before = process.umask(0);
    try {
      const store = createStore(openSqliteLog(file));
      await store.transact((db) => db.put('settings', { id: 'a', value: 'b' }));
      expect(modes()).toEqual(OURS);
      await store.close();
      expect(modes()).toEqual({ 'state.db': '600' });
    } finally {
      process.umask(before);
    }
  });

  it('the files that an earlier version or a killed server has left, but the folder stays as it is', async () => {
    await makeKilledState(file);
    rmSync(`${file}-during`);
    writeFileSync(`${file}-shm`, '');
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    chmodSync(folder, 0o755);
    expect(Object.keys(modes())).toContain('state.db-wal');
    const log = openSqliteLog(file);
    expect(modes()).toEqual({ ...OURS, 'state.db-shm': '600' });
    expect(statSync(folder).mode & 0o777).toBe(0o755);
    await log.close();
  });

  it('the file behind a symbolic link', async () => {
    await makeState(file);
    chmodSync(file, 0o644);
    const link = join(folder, 'link.db');
    symlinkSync(file, link);
    await openSqliteLog(link).close();
    expect(modes()['state.db']).toBe('600');
  });

  it('a file of an older format that is moved aside', async () => {
    await makeOlder();
    chmodSync(file, 0o644);
    await openSqliteLog(file).close();
    expect(modes()).toEqual({ 'state.db': '600', [basename(moved)]: '600' });
  });

  it('the files of ofage, and no file of another program', () => {
    writeFileSync(file, 'not a database of ofage, and longer than its header'.repeat(20), {
      mode: 0o644,
    });
    expect(catchError(() => openSqliteLog(file))).toBeInstanceOf(LogError);
    expect(modes()).toEqual({ 'state.db': '644' });
  });
});

describe('the SQLite log, on a full disk,', () => {
  it('rejects writes that do not fit, keeps earlier ones, and continues', () => {
    // `ulimit -f` limits the file size in blocks of 512 bytes. This simulates a disk of 1 MB.
    const { stdout, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -f 2048 && exec "$0" "$@"', process.execPath, FULL_DISK, file],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    const refused = {
      code: 'append_failed',
      message: expect.stringMatching(
        /^Cannot write to the data file ".*": .*; the change was not made$/,
      ),
    };
    expect(JSON.parse(stdout)).toEqual({
      errors: [refused, refused],
      afterFailure: ['before'],
      afterNext: ['before', 'next'],
    });
  });
});

describe('a full disk when the SQLite log is opened', () => {
  /** Opens the file in a process whose file size is limited to `blocks` blocks of 512 bytes. */
  const openIn = (blocks: number, file: string): { code: string; message: string } => {
    const script = `
      import { openSqliteLog } from ${JSON.stringify(MODULE)};
      try { openSqliteLog(${JSON.stringify(file)}) }
      catch ({ code, message }) { console.log(JSON.stringify({ code, message })) }`;
    const { stdout } = spawnSync(
      'sh',
      [
        '-c',
        `ulimit -f ${blocks} && exec "$0" "$@"`,
        process.execPath,
        '--input-type=module',
        '-e',
        script,
      ],
      { encoding: 'utf8' },
    );
    return JSON.parse(stdout) as { code: string; message: string };
  };

  it('is reported, and loses no data: with free space the file opens again', async () => {
    await makeKilledState(file);
    const before = readFolder(folder);
    const { code, message } = openIn(8, file);
    expect(code).toBe('unreadable');
    expectSentence(message, file);
    expect(message).toMatch(/the disk is full/);
    expect(message).toMatch(/keep the file and its companion files where they are/);
    expect(message).not.toMatch(/damaged|move/);
    expect(readFolder(folder)).toEqual(before);
    expect(await countRows(file)).toBe(1_501);
  });
});

describe('toOpenError()', () => {
  const toMessage = (errcode: number): string =>
    toOpenError(join(folder, 'state.db'), Object.assign(new Error('SQLite'), { errcode })).message;

  it.each([
    [13, /: the disk is full; free some space and start again/, 'SQLITE_FULL'],
    [10, /: the disk is full or failing \(SQLite\)/, 'SQLITE_IOERR on a disk with free space'],
    [4874, /: the disk is full or failing \(SQLite\)/, 'SQLITE_IOERR_SHMSIZE'],
    [5, /: another server is using it/, 'SQLITE_BUSY'],
    [261, /: another server is using it/, 'SQLITE_BUSY_RECOVERY'],
    [14, /: files cannot be created next to it/, 'SQLITE_CANTOPEN'],
    [11, /: it is damaged or not a data file of ofage \(SQLite\)/, 'SQLITE_CORRUPT'],
    [26, /: it is damaged or not a data file of ofage \(SQLite\)/, 'SQLITE_NOTADB'],
  ])('maps the error %i to %s: %s', (errcode, sentence) => {
    expect(toMessage(errcode)).toMatch(sentence);
  });

  it('does not call a file damaged that the file system refused to move', () => {
    const error = Object.assign(new Error('EPERM'), { syscall: 'rename' });
    const { message } = toOpenError(join(folder, 'state.db'), error);
    expect(message).toContain(': the file system refused it (EPERM);');
  });
});

describe('openSqliteLog() with a file of an older format', () => {
  it('moves it aside, names the moved file, and starts with an empty state', async () => {
    await makeOlder();
    const onMoved = vi.fn();
    const store = createStore(openSqliteLog(file, { onMoved }));
    expect(await store.transact((db) => db.count('settings'))).toBe(0);
    await store.transact((db) => db.put('settings', { id: 'new', value: 'x' }));
    await store.close();
    expect(onMoved.mock.calls).toEqual([[moved]]);
    expect(readdirSync(folder).sort()).toEqual(['state.db', `state.db.format-${OLDER}`]);
    expect(countEntries(moved)).toBe(30);
    expect(await countRows(file)).toBe(1);
  });

  it('moves the newest entries of a killed server with it', async () => {
    await makeKilledOlder();
    // A server that was killed on a file system with shared memory leaves this file too.
    writeFileSync(`${file}-shm`, '');
    await createStore(openSqliteLog(file)).close();
    expect(readdirSync(folder).sort()).toEqual(['state.db', `state.db.format-${OLDER}`]);
    expect(countEntries(moved)).toBe(31);
  });

  it.each([
    { what: 'has no format', sql: 'PRAGMA user_version = 0', format: 0 },
    { what: 'lacks our table', sql: 'ALTER TABLE entries RENAME TO steps', format: OLDER },
    { what: 'has another table', sql: 'CREATE TABLE more (x)', format: OLDER },
    { what: 'has entries of another kind', sql: `UPDATE entries SET body = 'x'`, format: OLDER },
    {
      what: 'has entries of a table that was removed',
      sql: `UPDATE entries SET body = '{"changes":[["recordings","a",{"id":"a"}]]}'`,
      format: OLDER,
    },
  ])('moves a file aside that $what', async ({ sql, format }) => {
    await makeOlder();
    change(file, sql);
    const onMoved = vi.fn();
    await createStore(openSqliteLog(file, { onMoved })).close();
    expect(onMoved.mock.calls).toEqual([[`${file}.format-${format}`]]);
    expect(await countRows(file)).toBe(0);
  });

  it('never replaces a file that was moved aside earlier', async () => {
    for (const name of ['', '-2', '-3']) {
      await makeOlder();
      await createStore(openSqliteLog(file)).close();
      expect(readdirSync(folder)).toContain(`state.db.format-${OLDER}${name}`);
      rmSync(file);
    }
  });

  it('does not touch a file that another server is using', async () => {
    await makeOlder();
    const server = new DatabaseSync(file);
    server.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE');
    const before = readdirSync(folder);
    expect(openInAnotherProcess(file)).toBe('locked');
    expect(readdirSync(folder)).toEqual(before);
    server.close();
  });

  it('does not touch a file whose write-ahead log another program is reading', async () => {
    await makeKilledOlder();
    const reader = new DatabaseSync(file);
    const rows = reader.prepare('SELECT * FROM entries').iterate();
    rows.next();
    expect(catchError(() => openSqliteLog(file))).toMatchObject({ code: 'locked' });
    expect(existsSync(moved)).toBe(false);
    rows.return?.();
    expect(countEntries(file)).toBe(31);
    reader.close();
  });
});

describe('a process that is killed while it moves a file aside', () => {
  it.each(['before the file is renamed', 'after the file was renamed'])(
    'leaves a complete file if it is killed %s',
    async (moment) => {
      await makeKilledOlder();
      const { signal } = spawnSync(process.execPath, [MOVE_ASIDE, file, moment.split(' ')[0]!]);
      expect(signal).toBe('SIGKILL');
      expect(existsSync(file)).toBe(moment.startsWith('before'));

      await createStore(openSqliteLog(file)).close();
      expect(countEntries(moved)).toBe(31);
      expect(await countRows(file)).toBe(0);
      expect(readdirSync(folder).sort()).toEqual(['state.db', `state.db.format-${OLDER}`]);
    },
  );
});

it('of several servers that start at once, one moves the file, and none loses a new state', async () => {
  await makeKilledOlder();
  const open = `const { openSqliteLog } = await import(process.argv[1]);
    try { openSqliteLog(process.argv[2]); console.log('opened') } catch { console.log('refused') }
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2_000)`;
  const said = spawnSync(
    'sh',
    [
      '-c',
      'for n in 1 2 3; do "$0" --input-type=module -e "$@" & done; wait',
      process.execPath,
    ].concat(open, MODULE, file),
    { encoding: 'utf8' },
  ).stdout;
  expect(said.trim().split('\n').sort()).toEqual(['opened', 'refused', 'refused']);
  expect(countEntries(moved)).toBe(31);
  expect(await countRows(file)).toBe(0);
});

it('keeps other servers away from an older file between its opening and its first lock', async () => {
  await makeKilledOlder();
  let other = '';
  class Slow extends DatabaseSync {
    constructor(path: string | URL, options: DatabaseSyncOptions = {}) {
      super(path, options);
      if (path === file && other === '') other = openInAnotherProcess(file);
    }
  }
  const slow = { DatabaseSync: Slow } as unknown as ReturnType<typeof process.getBuiltinModule>;
  vi.spyOn(process, 'getBuiltinModule').mockReturnValueOnce(slow);
  await createStore(openSqliteLog(file)).close();
  expect(other).toBe('locked');
  expect(countEntries(moved)).toBe(31);
  expect(await countRows(file)).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(['state.db', `state.db.format-${OLDER}`]);
});

async function makeOlder(): Promise<void> {
  await makeState(file);
  change(file, `PRAGMA user_version = ${OLDER}`);
}

/** Creates the older file of a server that was killed while its last entry was in the write-ahead log. */
async function makeKilledOlder(): Promise<void> {
  const current = join(folder, 'current.db');
  await makeKilledState(current);
  await asKilled(file, async (during) => {
    for (const end of ['', '-wal']) cpSync(current + end, during + end);
    const db = new DatabaseSync(during);
    db.exec(`PRAGMA user_version = ${OLDER}`);
    return () => db.close();
  });
  for (const name of readdirSync(folder)) {
    if (name !== 'state.db' && name !== 'state.db-wal') rmSync(join(folder, name));
  }
}

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

function countEntries(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const row = db.prepare('SELECT count(*) AS count FROM entries').get();
  db.close();
  return Number(row!['count']);
}
