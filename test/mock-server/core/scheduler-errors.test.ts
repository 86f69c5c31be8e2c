import { describe, expect, it } from 'vitest';
import { LogError, type Log } from '../../../mock-server/store/log.ts';
import type { JobHandler } from '../../../mock-server/store/scheduler.ts';
import { createWorld } from './world.ts';

describe('the scheduler, after an error,', () => {
  const poison: JobHandler = (db) => {
    db.put('settings', { id: 'half', value: 'done' });
    throw new Error('Poison');
  };

  it('rolls back only the failing job, reports its error and retries it after a minute', async () => {
    let isCured = false;
    const { real, scheduler, store, ran, errors, add } = createWorld({
      handlers: { poison: (db, job, nowMs) => (isCured ? undefined : poison(db, job, nowMs)) },
    });
    scheduler.start();
    await add(
      { id: 'a', afterMs: 10 },
      { id: 'b', kind: 'poison', afterMs: 10 },
      { id: 'c', afterMs: 10 },
    );
    await real.pass(10);
    expect(ran).toEqual(['a at 10', 'c at 10']);
    expect(errors).toEqual([new Error('Poison')]);
    expect(await store.transact((db) => db.count('settings'))).toBe(0);

    await real.pass(59_999);
    expect(errors).toHaveLength(1);
    isCured = true;
    await real.pass(1);
    expect(await store.transact((db) => db.count('jobs'))).toBe(0);
    expect(errors).toHaveLength(1);
  });

  it('lets the clock move past a failing job', async () => {
    const { scheduler, ran, errors, add } = createWorld({ handlers: { poison } });
    await add({ id: 'a', kind: 'poison', afterMs: 0 }, { id: 'b', afterMs: 3_600_000 });
    await scheduler.clock.freeze();
    await scheduler.clock.advance(3_600_000);
    expect(ran).toEqual(['b at 3600000']);
    expect(errors).toHaveLength(61);
  });

  it('reports a job without a handler, and keeps it', async () => {
    const { scheduler, store, errors, add } = createWorld();
    await add({ id: 'a', kind: 'of a newer version', afterMs: 0 });
    await scheduler.runDue();
    expect(errors).toEqual([new Error('There is no handler for the job "of a newer version"')]);
    expect(await store.transact((db) => db.count('jobs'))).toBe(1);
  });

  it.each([
    [
      'throws at once',
      () => {
        throw new Error('Effect');
      },
    ],
    ['rejects', () => Promise.reject(new Error('Effect'))],
  ])('continues after an effect that %s', async (_how, effect) => {
    const { real, scheduler, ran, errors, add } = createWorld({
      handlers: { fails: () => effect },
    });
    scheduler.start();
    await add(
      { id: 'a', kind: 'fails', afterMs: 1 },
      { id: 'b', afterMs: 1 },
      { id: 'c', afterMs: 2 },
    );
    await real.pass(5);
    expect(errors).toEqual([new Error('Effect')]);
    expect(ran).toEqual(['b at 1', 'c at 2']);
    await add({ id: 'd', kind: 'fails', afterMs: 10 }, { id: 'e', afterMs: 10 });
    await scheduler.clock.advance(10);
    expect(ran.at(-1)).toBe('e at 10');
  });

  it('retries a run of due jobs every second until it can be written', async () => {
    const full = createFillableLog();
    const { real, scheduler, ran, errors, add } = createWorld({ log: full.log });
    scheduler.start();
    await add({ id: 'a', afterMs: 10 });
    full.isFull = true;
    await real.pass(2_500);
    expect(errors).toHaveLength(3);
    expect(ran).toHaveLength(3);
    full.isFull = false;
    await real.pass(1_000);
    expect(errors).toHaveLength(3);
    expect(ran).toHaveLength(4);
    await real.pass(60_000);
    expect(ran).toHaveLength(4);
  });
});

/** Creates a log whose disk can be full for some time. */
function createFillableLog(): { log: Log; isFull: boolean } {
  const state = {
    isFull: false,
    log: {
      async commit(batch: Parameters<Log['commit']>[0]) {
        if (batch.run() && state.isFull) throw new LogError('append_failed', 'The disk is full');
      },
      close: () => Promise.resolve(),
    },
  };
  return state;
}
