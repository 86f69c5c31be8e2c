import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceOptions } from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../../mock-server/store/log.ts';
import type { RequestRow } from '../../../mock-server/store/tables.ts';
import { createMemoryLog, createSharedMemory } from '../../../mock-server/store/logs/memory.ts';
import { openSqliteLog } from '../../../mock-server/store/logs/sqlite.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';
import { aMock } from '../../support/a-mock.ts';

const QUARTER_MS = 250;

/**
 * Creates a service that shares its state with other services of the same memory. The test runs its timers.
 */
async function aProcess(memory = createSharedMemory(), options: ServiceOptions = {}) {
  const realClock = createManualClock();
  const log = createMemoryLog(memory);
  const my = await aMock({ realClock, pollMs: 1_000, log, ...options });
  return { ...my, memory, realClock };
}

/** Returns the requests in the log, grouped by the entry that added them. */
function written(memory: ReturnType<typeof createSharedMemory>): RequestRow[][] {
  return memory.entries
    .map(({ changes }) =>
      changes.flatMap(([table, , row]) => (table === 'requests' && row ? [row as RequestRow] : [])),
    )
    .filter((rows) => rows.length > 0);
}

const numbers = (items: readonly { id: number }[]): number[] => items.map(({ id }) => id);

describe('the request log', () => {
  it('survives a restart, together with observations', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ofage-requests-'));
    const file = join(folder, 'state.sqlite');
    const before = await aMock({ log: openSqliteLog(file) });
    const { sessionId } = await before.create();
    await before.call('POST', '/observations', { kind: 'access_granted', sessionId });
    // This request changes no other table.
    await before.api('create', 'sk_unknown', {});
    const requests = await before.control.requests();
    const observations = await before.control.observations();
    await before.create();
    await before.service.close();

    const after = await aMock({ log: openSqliteLog(file) });
    expect(await after.control.requests()).toEqual([
      expect.objectContaining({ id: 3, operation: 'create', status: 201 }),
      ...requests,
    ]);
    expect(await after.control.observations()).toEqual(observations);
    await after.create();
    expect((await after.control.requests({ limit: 1 }))[0]).toMatchObject({ id: 4 });
    await after.service.close();
    rmSync(folder, { recursive: true });
  });

  it('is shared by the services of one state, with consecutive ids', async () => {
    const one = await aProcess();
    const two = await aProcess(one.memory);
    const { sessionId } = await one.create();
    await one.realClock.pass(0);
    const { secretKey } = two;
    await two.api('validate', secretKey, { sessionId });
    await two.call('POST', '/observations', { kind: 'access_granted', sessionId });
    await one.create();

    const requests = await one.control.requests();
    expect(requests).toMatchObject([
      { id: 2, operation: 'create' },
      { id: 1, operation: 'create', sessionId },
    ]);
    expect(await two.control.requests()).toEqual([
      expect.objectContaining({ id: 3, operation: 'validate', sessionId }),
      ...requests,
    ]);
    expect(await one.control.observations()).toMatchObject([{ id: 1, sessionId }]);
    // The doctor counts all three, although the id of the second create is lower than that of the earlier
    // validate.
    const { seen } = await one.control.doctor();
    expect(seen).toMatchObject({ requests: 3, observations: 1, forgottenRequests: 0 });
  });

  it('keeps 500 requests of all services together', async () => {
    const one = await aProcess();
    const two = await aProcess(one.memory);
    for (let n = 0; n < 300; n += 1) {
      await one.api('create', 'sk_one', {});
      await two.api('create', 'sk_two', {});
    }
    // Each service writes its buffered requests before it reads.
    await one.control.requests();
    const all = await two.control.requests({ limit: 1_000 });
    expect(numbers(all)).toEqual(Array.from({ length: 500 }, (_, n) => 600 - n));
    expect((await one.control.doctor()).seen).toMatchObject({
      requests: 500,
      forgottenRequests: 100,
    });
  });

  it('writes the first request at once, and later ones in batches', async () => {
    const { memory, realClock, api } = await aProcess();
    await api('create', 'sk_1', {});
    await realClock.pass(0);
    expect(written(memory).map(({ length }) => length)).toEqual([1]);
    for (let n = 0; n < 20; n += 1) {
      await api('create', 'sk_2', {});
      await realClock.pass(10);
    }
    expect(written(memory).map(({ length }) => length)).toEqual([1]);
    await realClock.pass(QUARTER_MS);
    await api('create', 'sk_3', {});
    await realClock.pass(0);
    expect(written(memory).map(({ length }) => length)).toEqual([1, 20]);
    await realClock.pass(QUARTER_MS);
    expect(written(memory).map(({ length }) => length)).toEqual([1, 20, 1]);
    // A service without requests writes nothing.
    await realClock.pass(60_000);
    expect(written(memory)).toHaveLength(3);
  });

  it('writes only the last 500 requests of a burst, and then at most 200 a second', async () => {
    const { memory, realClock, api, call } = await aProcess();
    for (let n = 0; n < 2_000; n += 1) await api('create', 'sk_1', {});
    await realClock.pass(QUARTER_MS);
    expect(written(memory).map((rows) => [rows.length, rows[0]?.no, rows.at(-1)?.no])).toEqual([
      [500, 1_501, 2_000],
    ]);
    await api('create', 'sk_1', {});
    await realClock.pass(2_200);
    expect(written(memory)).toHaveLength(1);
    await realClock.pass(QUARTER_MS);
    expect(
      written(memory)
        .map((rows) => rows.map(({ no }) => no))
        .at(-1),
    ).toEqual([2_001]);
    expect((await call('GET', '/doctor')).body.seen).toMatchObject({ forgottenRequests: 1_501 });
  });

  it('still writes on time if the computer’s clock is set back', async () => {
    let backMs = 0;
    const realClock = createManualClock();
    const memory = createSharedMemory();
    const { api } = await aProcess(memory, {
      realClock: {
        now: () => realClock.now() - backMs,
        wakeAt: (atMs, wake) => realClock.wakeAt(atMs + backMs, wake),
      },
    });
    await api('create', 'sk_1', {});
    await realClock.pass(0);
    backMs = 3_600_000;
    await api('create', 'sk_1', {});
    await realClock.pass(QUARTER_MS);
    expect(written(memory)).toHaveLength(2);
  });

  it('is saved in and restored from snapshots', async () => {
    const one = await aProcess();
    const { sessionId } = await one.create();
    await one.call('POST', '/observations', { kind: 'access_granted', sessionId });
    const requests = await one.control.requests();
    const observations = await one.control.observations();
    const snapshot = await one.control.snapshot();

    const two = await aProcess();
    await two.api('create', 'sk_of_another_state', {});
    await two.control.loadSnapshot(JSON.parse(JSON.stringify(snapshot)));
    expect(await two.control.requests()).toEqual(requests);
    expect(await two.control.observations()).toEqual(observations);

    // A table that is missing is empty.
    const { requests: _, observations: __, ...tables } = snapshot.tables;
    await two.control.loadSnapshot({ ...snapshot, tables });
    expect(await two.control.requests()).toEqual([]);
    expect(await two.control.observations()).toEqual([]);
    await two.create();
    expect(numbers(await two.control.requests())).toEqual([1]);
  });

  it('is cleared in every service by a reset', async () => {
    const one = await aProcess();
    const two = await aProcess(one.memory);
    const { sessionId } = await one.create();
    await one.call('POST', '/observations', { kind: 'access_granted', sessionId });
    expect(await two.control.observations()).toHaveLength(1);
    await one.control.reset();
    for (const { control } of [one, two]) {
      expect(await control.requests()).toEqual([]);
      expect(await control.observations()).toEqual([]);
    }
  });

  it('works with the state of a version without a request log', async () => {
    const old = await aProcess();
    const { sessionId } = await old.create();
    await old.service.close();
    const memory = createSharedMemory();
    for (const { changes, ...entry } of old.memory.entries) {
      const known = changes.filter(([table]) => table !== 'requests' && table !== 'observations');
      memory.entries.push({ ...entry, changes: known });
    }
    const my = await aProcess(memory);
    expect(await my.control.requests()).toEqual([]);
    expect((await my.control.doctor()).seen).toMatchObject({ forgottenRequests: 0 });
    await my.call('POST', '/observations', { kind: 'access_granted', sessionId });
    expect(await my.control.observations()).toHaveLength(1);
  });

  it('continues after a failed write, and reports the error', async () => {
    const errors: unknown[] = [];
    let isFull = false;
    const memory = createSharedMemory();
    const inner = createMemoryLog(memory);
    const log: Log = {
      async commit(batch) {
        await inner.commit({
          ...batch,
          apply: (entry) => batch.apply(entry),
          snapshot: () => batch.snapshot(),
          run() {
            const entry = batch.run();
            if (entry && isFull) throw new Error('The disk is full');
            return entry;
          },
        });
      },
      close: () => inner.close(),
    };
    const my = await aProcess(memory, { log, onError: (error) => errors.push(error) });
    await my.api('create', 'sk_1', {});
    await my.control.requests();
    isFull = true;
    await my.api('create', 'sk_2', {});
    expect(numbers(await my.control.requests())).toEqual([1]);
    expect(errors).toEqual([new Error('The disk is full')]);
    isFull = false;
    await my.api('create', 'sk_3', {});
    expect(numbers(await my.control.requests())).toEqual([2, 1]);
  });

  it('deletes requests together with their sessions, and not earlier', async () => {
    const my = await aProcess();
    const DAY = 86_400_000;
    const { sessionId } = await my.create();
    await my.call('POST', '/observations', { kind: 'access_granted', sessionId });
    await my.api('create', 'sk_unknown', {});
    await my.clock.advance(6 * DAY);
    expect(await my.control.requests()).toHaveLength(2);
    await my.clock.advance(2 * DAY);
    expect(numbers(await my.control.requests())).toEqual([2]);
    expect(await my.control.observations()).toEqual([]);
    await settle();
  });
});
