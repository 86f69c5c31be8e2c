import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogError } from '../../../mock-server/store/log.ts';
import { createStore } from '../../../mock-server/store/store.ts';
import { openSqliteLog } from '../../../mock-server/store/logs/sqlite.ts';
import { toOpenError } from '../../../mock-server/store/logs/sqlite-errors.ts';
import { logConformance } from './log-conformance.ts';
import { makeKilledState, makeState, UNUSABLE } from './sqlite-cases.ts';
import {
  MODULE,
  catchError,
  countRows,
  expectSentence,
  openInAnotherProcess,
  readFolder,
  runScript,
  sumFolder,
} from './sqlite-files.ts';

const FULL_DISK = fileURLToPath(new URL('full-disk-child.ts', import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-log-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

logConformance(
  'the SQLite log',
  async () => {
    const file = join(folder, 'state.db');
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
    const file = join(folder, 'state.db');
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
    const file = join(folder, 'state.db');
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
    const file = join(folder, 'state.db');
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
    const file = join(folder, 'state.db');
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

  it('continues after SQLite has rejected a statement', async () => {
    const file = join(folder, 'state.db');
    await makeState(file);
    const db = new DatabaseSync(file);
    db.exec(`CREATE TRIGGER refuse BEFORE INSERT ON entries WHEN NEW.body LIKE '%unlucky%'
      BEGIN SELECT RAISE(ABORT, 'unlucky'); END`);
    db.close();
    const store = createStore(openSqliteLog(file));
    const put = (id: string): Promise<unknown> =>
      store.transact((tables) => tables.put('settings', { id, value: 'x' }));
    await expect(put('unlucky')).rejects.toMatchObject({
      code: 'append_failed',
      message: expect.stringMatching(/: unlucky; the change was not made$/),
    });
    await put('lucky');
    await store.close();
    expect(await countRows(file)).toBe(1_501);
  });

  it('reads every entry that it has written, even with more nesting than SQLite accepts as JSON', async () => {
    const file = join(folder, 'state.db');
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

describe('the SQLite log, on a full disk,', () => {
  it('rejects writes that do not fit, keeps earlier ones, and continues', () => {
    const file = join(folder, 'state.db');
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
    const file = join(folder, 'state.db');
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

  it('is reported for a new file as well', () => {
    const { message } = openIn(0, join(folder, 'new.db'));
    expect(message).toMatch(/the disk is full/);
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
});
