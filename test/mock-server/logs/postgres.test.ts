import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../mock-server/core/clock.ts';
import { LOG_FORMAT, LogError } from '../../../mock-server/core/log.ts';
import { createScheduler } from '../../../mock-server/core/scheduler.ts';
import { createStore, type Store } from '../../../mock-server/core/store.ts';
import { openPostgresLog } from '../../../mock-server/logs/postgres.ts';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { logConformance } from './log-conformance.ts';
import { UNUSABLE } from './postgres-cases.ts';
import { put, read } from './settings.ts';

const STUCK = fileURLToPath(new URL('postgres-stuck-child.ts', import.meta.url));

describe.skipIf(!hasPostgres())('on PostgreSQL', () => {
  let server: TestPostgres;
  const stores = new Set<Store>();

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    stores.clear();
  });
  afterAll(() => server.stop());

  async function open(url: string, onForeignEntry = (): void => {}): Promise<Store> {
    const store = createStore(await openPostgresLog(url, { onForeignEntry }));
    stores.add(store);
    return store;
  }

  logConformance(
    'the PostgreSQL log',
    async () => {
      const url = await server.createDatabase();
      return {
        open: () => openPostgresLog(url),
        async entries() {
          const [row] = await server.query(url, 'SELECT count(*) FROM ofage.entries');
          return Number(row!['count']);
        },
        async setFormat(format) {
          await server.query(url, `UPDATE ofage.state SET format = ${format}`);
        },
        dispose: async () => {},
      };
    },
    { isShared: true, compacts: true, newerFormat: 'refused' },
  );

  describe('openPostgresLog()', () => {
    it.each(UNUSABLE)('refuses $what in one sentence', async ({ prepare, code, says }) => {
      const url = await prepare(server);
      const before = await describeDatabase(server, url);
      const error = await catchError(() => openPostgresLog(url));
      expect(error).toBeInstanceOf(LogError);
      expect(error).toMatchObject({ code, message: expect.stringMatching(says) });
      expect(error.message).toMatch(/^Cannot .*[:;] .+[^.]$/);
      expect(error.message).not.toMatch(/\n|s3cret/);
      expect(await describeDatabase(server, url)).toEqual(before);
    });

    it('needs no right to make the schema that somebody has made for it', async () => {
      const url = await server.createDatabase();
      await server.query(url, 'CREATE ROLE tenant LOGIN; CREATE SCHEMA ofage AUTHORIZATION tenant');
      const store = await open(url.replace('ofage@', 'tenant@'));
      await put(store, 'a', 'x');
      expect(await read(store)).toEqual({ a: 'x' });
    });

    it('goes through a socket, with the database’s own name as the place', async () => {
      const [, name] = /([^/]*)$/.exec(await server.createDatabase())!;
      const url = `postgres://ofage@/${name}?host=${server.folder}&port=${server.port}`;
      const store = await open(url);
      await put(store, 'a', 'x');
      expect(await read(await open(server.url(name!)))).toEqual({ a: 'x' });
    });

    it('makes one schema, however many open an empty database at once', async () => {
      const url = await server.createDatabase();
      const opened = await Promise.all(Array.from({ length: 10 }, () => open(url)));
      await Promise.all(opened.map((store, n) => put(store, `row-${n}`, 'x')));
      for (const store of opened) expect(Object.keys(await read(store))).toHaveLength(10);
    });

    it('reads a log of more entries than one query returns', async () => {
      const url = await server.createDatabase();
      const store = await open(url);
      for (let n = 0; n < 301; n += 1) await put(store, `row-${n}`, `${n}`);
      const found = await read(await open(url));
      expect(Object.keys(found)).toHaveLength(301);
    });
  });

  describe('while it is open', () => {
    it('refuses a state that a newer version has taken over, and keeps it as it is', async () => {
      const url = await server.createDatabase();
      const store = await open(url);
      await put(store, 'a', 'x');
      await server.query(url, `UPDATE ofage.state SET format = ${LOG_FORMAT + 1}`);
      await expect(put(store, 'b', 'x')).rejects.toMatchObject({ code: 'newer_format' });
      const rows = await server.query(url, 'SELECT * FROM ofage.entries');
      expect(rows).toHaveLength(1);
    });

    it('names the entry that is damaged', async () => {
      const url = await server.createDatabase();
      const store = await open(url);
      for (const id of ['a', 'b', 'c']) await put(store, id, 'x');
      await server.query(url, 'UPDATE ofage.entries SET body = left(body, 5) WHERE seq = 2');
      const other = await open(url);
      await expect(put(other, 'd', 'x')).rejects.toMatchObject({
        code: 'unreadable',
        message: expect.stringMatching(/ its entry 2 is damaged .*; name another/),
      });
      expect(Object.keys(await read(store))).toHaveLength(3);
    });

    it('begins again when the schema was dropped and made again under it', async () => {
      const url = await server.createDatabase();
      const store = await open(url);
      for (const id of ['a', 'b', 'c']) await put(store, id, 'old');
      await server.query(url, 'DROP SCHEMA ofage CASCADE');
      await put(await open(url), 'd', 'new');
      expect(await read(store)).toEqual({ d: 'new' });
      await put(store, 'e', 'new');
      expect(await read(await open(url))).toEqual({ d: 'new', e: 'new' });
    });

    it('does not wait for ever for a process that stands still in its turn', async () => {
      const url = await server.createDatabase();
      const store = await open(`${url}?lock_timeout=100`);
      const stuck = spawn(
        process.execPath,
        [STUCK, `${url}?idle_in_transaction_session_timeout=500`, '1500'],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let said = '';
      stuck.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
      const ended = once(stuck, 'close');
      await once(stuck.stdout, 'data');
      expect(await catchError(() => put(store, 'a', 'too early'))).toMatchObject({
        code: 'locked',
        message: expect.stringMatching(/another process has kept its turn for too long; stop that/),
      });
      // The server takes the turn from it, and nothing that it writes later counts.
      await vi.waitFor(() => put(store, 'a', 'x'), 10_000);
      await ended;
      expect(said).toBe('has the turn\nappend_failed\n');
      expect(await read(store)).toEqual({ a: 'x' });
    });
  });

  describe('when the connection is lost', () => {
    it.each([
      ['cut off by an administrator', () => terminate(server)],
      ['and the server is started again', () => server.restart()],
    ])('between commits, %s: nobody notices', async (_how, lose) => {
      const url = await server.createDatabase();
      const heard = vi.fn();
      const [store, other] = [await open(url, heard), await open(url)];
      await put(store, 'a', 'x');
      await lose();
      await put(store, 'b', 'x');
      await put(other, 'c', 'x');
      // It listens again, too.
      await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 10_000);
      expect(await read(store)).toEqual({ a: 'x', b: 'x', c: 'x' });
    });

    it('and none can be made: says so, does nothing, and goes on when one can', async () => {
      const url = await server.createDatabase();
      const proxy = await startCuttingProxy(server.port);
      const store = await open(url.replace(/:\d+\//, `:${proxy.port}/`));
      await put(store, 'a', 'x');
      await proxy.close();
      await expect(put(store, 'b', 'x')).rejects.toMatchObject({
        message: expect.stringMatching(/^Cannot open the database .*: nothing answers there/),
      });
      const again = await startCuttingProxy(server.port, proxy.port);
      await put(store, 'c', 'x');
      expect(await read(await open(url))).toEqual({ a: 'x', c: 'x' });
      await store.close();
      stores.delete(store);
      await again.close();
    });

    it.each([
      { when: 'before the entry is stored', at: 'INSERT INTO', passOn: null, lands: false },
      { when: 'before COMMIT arrives', at: 'NOTIFY', passOn: null, lands: false },
      { when: 'before the answer to COMMIT arrives', at: 'NOTIFY', passOn: 0, lands: true },
      { when: 'while COMMIT is still on its way', at: 'NOTIFY', passOn: 300, lands: true },
    ])('$when: rejects, and the next turn knows', async ({ at, passOn, lands }) => {
      const url = await server.createDatabase();
      const proxy = await startCuttingProxy(server.port);
      const store = await open(url.replace(/:\d+\//, `:${proxy.port}/`));
      await put(store, 'a', 'before');
      proxy.cutAt(at, passOn);

      const error = await catchError(() => put(store, 'a', 'unknown'));
      expect(error).toMatchObject({
        code: 'append_failed',
        message: expect.stringMatching(/; whether what was asked for has been done is not known$/),
      });
      expect(await read(store)).toEqual({ a: lands ? 'unknown' : 'before' });
      await put(store, 'b', 'after');
      expect(await read(await open(url))).toEqual({
        a: lands ? 'unknown' : 'before',
        b: 'after',
      });
      await store.close();
      stores.delete(store);
      await proxy.close();
    });
  });

  describe('news of other processes', () => {
    it('come when they have written, not when they have read, and not of one’s own', async () => {
      const url = await server.createDatabase();
      const heard = vi.fn();
      const [mine, theirs] = [await open(url, heard), await open(url)];
      await put(mine, 'a', 'mine');
      await read(theirs);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(heard).not.toHaveBeenCalled();
      await put(theirs, 'a', 'theirs');
      await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), 10_000);
    });

    it('do not come when they have been read in the meantime', async () => {
      const url = await server.createDatabase();
      const heard = vi.fn();
      const [mine, theirs] = [await open(url, heard), await open(url)];
      await put(theirs, 'a', 'theirs');
      await read(mine);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(heard).not.toHaveBeenCalled();
    });

    it('wake a scheduler that does not poll, for a job that was added elsewhere', async () => {
      const url = await server.createDatabase();
      const ran: string[] = [];
      let store: Store | undefined;
      const scheduler = createScheduler({
        store: () => store!,
        clock: systemClock,
        pollMs: 0,
        onError: (error) => expect.unreachable(String(error)),
        handlers: { note: (_db, { ref }) => void ran.push(ref) },
      });
      const log = await openPostgresLog(url, {
        onForeignEntry: () => void store?.transact(() => {}),
      });
      stores.add((store = createStore(log, (change) => scheduler.observe(change))));
      scheduler.start();
      await scheduler.runDue();
      const elsewhere = await open(url);
      const due = { id: 'job', kind: 'note', ref: 'a', dueMs: Date.now() + 50 };
      await elsewhere.transact((db) => db.put('jobs', due));
      await vi.waitFor(() => expect(ran).toEqual(['a']), 10_000);
      await scheduler.stop();
    });
  });
});

async function catchError(run: () => Promise<unknown>): Promise<Error> {
  const outcome = await run().then(
    () => new Error('It was not refused'),
    (error: Error) => error,
  );
  return outcome;
}

/** Ends every session of ours, as an administrator would. */
async function terminate(server: TestPostgres): Promise<void> {
  await server.query(
    server.url('postgres'),
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ofage-mock'",
  );
}

/** Every table of a database with its rows, if it is one. */
async function describeDatabase(server: TestPostgres, url: string): Promise<unknown> {
  const name = /\/(test_\d+)/.exec(url)?.[1];
  if (name === undefined) return null;
  return server.query(
    server.url(name),
    `SELECT relname, xpath('//row', query_to_xml(format('SELECT * FROM %s', c.oid::regclass), true, false, ''))::text
     FROM pg_class c WHERE relnamespace = to_regnamespace('ofage') AND relkind = 'r' ORDER BY 1`,
  );
}
