import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../../mock-server/store/clock.ts';
import { LOG_FORMAT, LogError } from '../../../../mock-server/store/log.ts';
import { openPostgresLog } from '../../../../mock-server/store/logs/postgres.ts';
import { driverMissing } from '../../../../mock-server/store/logs/postgres-errors.ts';
import { createScheduler } from '../../../../mock-server/store/scheduler.ts';
import { createStore, type Store } from '../../../../mock-server/store/store.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { isInFiles } from './sqlite-cases.ts';
import { logConformance, put, read } from './log-conformance.ts';
import { startStuckProcess, UNUSABLE } from './postgres-cases.ts';
import { waitFor } from '../../../support/wait-for.ts';

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
        async contains(text) {
          await server.query(url, 'CHECKPOINT');
          return isInFiles(join(server.folder, 'data', 'base'), text);
        },
        async setFormat(format) {
          await server.query(url, `UPDATE ofage.state SET format = ${format}`);
        },
        dispose: async () => {},
      };
    },
    { isShared: true, compacts: true, refusesNewerFormat: true },
  );

  describe('openPostgresLog()', () => {
    it.each(UNUSABLE)('rejects $what with one sentence', async ({ prepare, code, says }) => {
      const url = await prepare(server);
      const before = await describeDatabase(server, url);
      const error = await catchError(() => openPostgresLog(url));
      expect(error).toBeInstanceOf(LogError);
      expect(error).toMatchObject({ code, message: expect.stringMatching(says) });
      expect(error.message).toMatch(/^Cannot .*[:;] .+[^.]$/);
      expect(error.message).not.toMatch(/\n|s3cret/);
      expect(await describeDatabase(server, url)).toEqual(before);
    });

    it('needs no permission to create a schema that already exists', async () => {
      const url = await server.createDatabase();
      await server.query(url, 'CREATE ROLE tenant LOGIN; CREATE SCHEMA ofage AUTHORIZATION tenant');
      const store = await open(url.replace('ofage@', 'tenant@'));
      await put(store, 'a', 'x');
      expect(await read(store)).toEqual({ a: 'x' });
    });

    it('connects through a Unix socket to the database that the URL names', async () => {
      const [, name] = /([^/]*)$/.exec(await server.createDatabase())!;
      const url = `postgres://ofage@/${name}?host=${server.folder}&port=${server.port}`;
      const store = await open(url);
      await put(store, 'a', 'x');
      expect(await read(await open(server.url(name!)))).toEqual({ a: 'x' });
    });

    it('creates one schema if several processes open an empty database at once', async () => {
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

  describe('an open log', () => {
    it('rejects a state that a newer version has upgraded, and does not change it', async () => {
      const url = await server.createDatabase();
      const store = await open(url);
      await put(store, 'a', 'x');
      await server.query(url, `UPDATE ofage.state SET format = ${LOG_FORMAT + 1}`);
      await expect(put(store, 'b', 'x')).rejects.toMatchObject({ code: 'newer_format' });
      const rows = await server.query(url, 'SELECT * FROM ofage.entries');
      expect(rows).toHaveLength(1);
    });

    it('names the damaged entry', async () => {
      const url = await server.createDatabase();
      const store = await open(url);
      for (const id of ['a', 'b', 'c']) await put(store, id, 'x');
      await server.query(url, 'UPDATE ofage.entries SET body = left(body, 5) WHERE seq = 2');
      const other = await open(url);
      await expect(put(other, 'd', 'x')).rejects.toMatchObject({
        code: 'unreadable',
        message: expect.stringMatching(/ its entry 2 is damaged .*; use a different/),
      });
      expect(Object.keys(await read(store))).toHaveLength(3);
    });

    it('starts again if the schema was dropped and created again while it was open', async () => {
      const url = await server.createDatabase();
      const store = await open(url);
      for (const id of ['a', 'b', 'c']) await put(store, id, 'old');
      await server.query(url, 'DROP SCHEMA ofage CASCADE');
      await put(await open(url), 'd', 'new');
      expect(await read(store)).toEqual({ d: 'new' });
      await put(store, 'e', 'new');
      expect(await read(await open(url))).toEqual({ d: 'new', e: 'new' });
    });

    it('rejects writes while another process is stuck in a commit, until the server ends that transaction', async () => {
      const url = await server.createDatabase();
      const store = await open(`${url}?lock_timeout=100`);
      const stuck = startStuckProcess(`${url}?idle_in_transaction_session_timeout=500`);
      let said = '';
      stuck.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
      const ended = once(stuck, 'close');
      await once(stuck.stdout, 'data');
      expect(await catchError(() => put(store, 'a', 'too early'))).toMatchObject({
        code: 'locked',
        message: expect.stringMatching(
          /another process has held the write lock for too long; stop that/,
        ),
      });
      // The server ends the stuck transaction, so later writes in it have no effect.
      await waitFor(() => put(store, 'a', 'x'));
      await ended;
      expect(said).toBe('holds the lock\nappend_failed\n');
      expect(await read(store)).toEqual({ a: 'x' });
    });
  });

  describe('a snapshot that takes longer to serialise than a transaction may be idle', () => {
    it('is written part by part, so that the server does not end the transaction', async () => {
      const url = await server.createDatabase();
      const store = await open(`${url}?idle_in_transaction_session_timeout=4000`);
      let isSlow = false;
      /** Returns a row whose serialisation in the snapshot takes 120 ms, without using the processor. */
      const slowRow = (id: string): { id: string; value: string } => {
        const toJSON = (): object => {
          if (isSlow) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120);
          return { id, value: 'x' };
        };
        const row = { id, value: 'x', toJSON };
        return row;
      };
      for (let group = 0; group < 10; group += 1) {
        await store.transact((db) => {
          for (let n = 0; n < 4; n += 1) db.put('settings', slowRow(`slow-${group}-${n}`));
          for (let n = 0; n < 1_000; n += 1)
            db.put('settings', { id: `row-${group}-${n}`, value: 'x' });
        });
      }
      // The log is larger than a megabyte now, so a snapshot is due. It takes at least 4.8 seconds, and each part
      // an eighth of the limit, so that a busy machine is quick enough.
      isSlow = true;
      await put(store, 'large', 'x'.repeat(1_000_000));
      const parts = await server.query(url, 'SELECT left(body, 12) AS start FROM ofage.entries');
      expect(new Set(parts.map(({ start }) => start))).toEqual(
        new Set(['{"snapshot":', '{"continued"']),
      );
      expect(Object.keys(await read(await open(url)))).toHaveLength(10_041);
    });
  });

  describe('a log that has lost its connection', () => {
    it.each([
      ['an administrator terminated the connection', () => terminate(server)],
      ['the server restarted', () => server.restart()],
    ])('reconnects without an error if %s between two commits', async (_how, lose) => {
      const url = await server.createDatabase();
      const onNotify = vi.fn();
      const [store, other] = [await open(url, onNotify), await open(url)];
      await put(store, 'a', 'x');
      await lose();
      await put(store, 'b', 'x');
      await put(other, 'c', 'x');
      // The new connection listens for notifications too.
      await waitFor(() => expect(onNotify).toHaveBeenCalled());
      expect(await read(store)).toEqual({ a: 'x', b: 'x', c: 'x' });
    });

    it('rejects writes until it can reconnect, and then continues', async () => {
      const url = await server.createDatabase();
      const proxy = await startCuttingProxy(server.port);
      const store = await open(url.replace(/:\d+\//, `:${proxy.port}/`));
      await put(store, 'a', 'x');
      await proxy.close();
      await expect(put(store, 'b', 'x')).rejects.toMatchObject({
        message: expect.stringMatching(/^Cannot open the database .*: connection refused/),
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
      { when: 'before the response to COMMIT arrives', at: 'NOTIFY', passOn: 0, lands: true },
      { when: 'while COMMIT is in transit', at: 'NOTIFY', passOn: 300, lands: true },
    ])(
      'rejects a commit whose connection is lost $when, and reads the real state at the next commit',
      async ({ at, passOn, lands }) => {
        const url = await server.createDatabase();
        const proxy = await startCuttingProxy(server.port);
        const store = await open(url.replace(/:\d+\//, `:${proxy.port}/`));
        await put(store, 'a', 'before');
        proxy.cutAt(at, passOn);

        const error = await catchError(() => put(store, 'a', 'unknown'));
        expect(error).toMatchObject({
          code: 'append_failed',
          message: expect.stringMatching(/; it is unknown whether the change was made$/),
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
      },
    );
  });

  describe('notifications of other processes', () => {
    it('arrive after their writes, but not after their reads or after writes by this process', async () => {
      const url = await server.createDatabase();
      const onNotify = vi.fn();
      const [mine, theirs] = [await open(url, onNotify), await open(url)];
      // A notification is handled after a delay.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      await put(mine, 'a', 'mine');
      await read(theirs);
      // PostgreSQL sends the notifications that wait for a connection before it answers the next query.
      await read(mine);
      vi.advanceTimersByTime(1_000);
      expect(onNotify).not.toHaveBeenCalled();
      await put(theirs, 'a', 'theirs');
      await waitFor(() => expect(onNotify).toHaveBeenCalledTimes(1));
    });

    it('wake a scheduler that does not poll, for a job of a different process', async () => {
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
      store = createStore(log, { onChange: (change) => scheduler.observe(change) });
      stores.add(store);
      scheduler.start();
      await scheduler.runDue();
      const elsewhere = await open(url);
      const due = { id: 'job', kind: 'note', ref: 'a', dueMs: Date.now() + 50 };
      await elsewhere.transact((db) => db.put('jobs', due));
      await waitFor(() => expect(ran).toEqual(['a']));
      await scheduler.stop();
    });
  });
});

it('a package "pg" that is missing is named', () => {
  const missing = Object.assign(new Error('No pg'), { code: 'ERR_MODULE_NOT_FOUND' });
  expect(driverMissing(missing)).toMatchObject({
    code: 'unreadable',
    message:
      'Cannot keep state in PostgreSQL: the package "pg" is not installed; run npm install pg',
  });
});

async function catchError(run: () => Promise<unknown>): Promise<Error> {
  const outcome = await run().then(
    () => new Error('It was not refused'),
    (error: Error) => error,
  );
  return outcome;
}

/** Terminates all our connections, like an administrator. */
async function terminate(server: TestPostgres): Promise<void> {
  await server.query(
    server.url('postgres'),
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ofage-mock'",
  );
}

/** Returns every table of a test database with its rows, or null if the URL names no test database. */
async function describeDatabase(server: TestPostgres, url: string): Promise<unknown> {
  const name = /\/(test_\d+)/.exec(url)?.[1];
  if (name === undefined) return null;
  return server.query(
    server.url(name),
    `SELECT relname, xpath('//row', query_to_xml(format('SELECT * FROM %s', c.oid::regclass), true, false, ''))::text
     FROM pg_class c WHERE relnamespace = to_regnamespace('ofage') AND relkind = 'r' ORDER BY 1`,
  );
}
