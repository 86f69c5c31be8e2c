import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LOG_FORMAT } from '../../../mock-server/store/log.ts';
import { createStore } from '../../../mock-server/store/store.ts';
import { openSqliteLog } from '../../../mock-server/store/logs/sqlite.ts';
import { asKilled, makeKilledState, makeState } from './sqlite-cases.ts';
import { catchError, countRows, openInAnotherProcess } from './sqlite-files.ts';

const CHILD = fileURLToPath(new URL('move-aside-child.ts', import.meta.url));

/** The format of the files that these tests call older. */
const OLDER = LOG_FORMAT - 1;

let folder: string;
let file: string;
let moved: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-older-'));
  file = join(folder, 'state.db');
  moved = `${file}.format-${OLDER}`;
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
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
      const { signal } = spawnSync(process.execPath, [CHILD, file, moment.split(' ')[0]!]);
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
  for (let round = 0; round < 5; round += 1) {
    await makeKilledOlder();
    const open = `const { openSqliteLog } = await import(process.argv[1]);
      try { openSqliteLog(process.argv[2]); console.log('opened') } catch { console.log('refused') }
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2_000)`;
    const module = new URL('../../../mock-server/store/logs/sqlite.ts', import.meta.url).href;
    const said = spawnSync(
      'sh',
      [
        '-c',
        'for n in 1 2 3; do "$0" --input-type=module -e "$@" & done; wait',
        process.execPath,
      ].concat(open, module, file),
      { encoding: 'utf8' },
    ).stdout;
    expect(said.trim().split('\n').sort()).toEqual(['opened', 'refused', 'refused']);
    expect(countEntries(moved)).toBe(31);
    expect(await countRows(file)).toBe(0);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  }
}, 60_000);

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
