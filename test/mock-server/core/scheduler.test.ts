import { describe, expect, it, vi } from 'vitest';
import type { Log } from '../../../mock-server/store/log.ts';
import type { JobHandler } from '../../../mock-server/store/scheduler.ts';
import { createMemoryLog, createSharedMemory } from '../../../mock-server/store/logs/memory.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';
import { createWorld } from './world.ts';

describe('the scheduler in real time', () => {
  it('runs a job when it is due, and not earlier', async () => {
    const { real, scheduler, ran, add } = createWorld();
    scheduler.start();
    await add({ id: 'a', afterMs: 1_000 });
    await real.pass(999);
    expect(ran).toEqual([]);
    await real.pass(1);
    expect(ran).toEqual(['a at 1000']);
  });

  it('sleeps until the next job is due, or forever if there is none', async () => {
    const { real, scheduler, add } = createWorld();
    scheduler.start();
    await settle();
    expect(real.sleepers).toBe(0);
    await add({ id: 'a', afterMs: 1_000 });
    await real.pass(1);
    expect(real.sleepers).toBe(1);
    await real.pass(1_000);
    expect(real.sleepers).toBe(0);
  });

  it('checks for due jobs again after a different process has changed the clock', async () => {
    const { real, scheduler, store, ran, add, startMs } = createWorld();
    await scheduler.clock.freeze();
    scheduler.start();
    await add({ id: 'a', afterMs: 10 });
    await real.pass(1_000);
    await store.transact((db) =>
      db.put('clock', { id: 'clock', frozenAtMs: null, offsetMs: startMs - real.now() }),
    );
    await real.pass(10);
    expect(ran).toEqual(['a at 10']);
  });

  it('runs jobs that became due while no scheduler was running', async () => {
    const { real, scheduler, ran, add } = createWorld();
    await add({ id: 'a', afterMs: 1_000 });
    await real.pass(5_000);
    scheduler.start();
    await settle();
    expect(ran).toEqual(['a at 5000']);
  });

  it('does not run a job that was deleted or postponed', async () => {
    const { real, scheduler, store, ran, add, startMs } = createWorld();
    scheduler.start();
    await add({ id: 'deleted', afterMs: 10 }, { id: 'moved', afterMs: 10 });
    await store.transact((db) => {
      db.delete('jobs', 'deleted');
      db.put('jobs', { id: 'moved', kind: 'note', ref: 'moved', dueMs: startMs + 50 });
    });
    await real.pass(49);
    expect(ran).toEqual([]);
    await real.pass(1);
    expect(ran).toEqual(['moved at 50']);
  });

  it('runs a due job that is stored in the same log entry as a run of due jobs', async () => {
    const { log, release, isWriting } = createSlowLog();
    const { real, scheduler, store, ran, add } = createWorld({ log });
    const adding = add({ id: 'first', afterMs: 10 }, { id: 'far', afterMs: 10_000 });
    await release();
    await adding;
    scheduler.start();
    await settle();

    // While this entry is written, first the round and then the new job wait for the next entry.
    const busy = store.transact((db) => db.put('settings', { id: 'busy', value: 'x' }));
    await real.pass(10);
    const addingNew = add({ id: 'new', afterMs: 10 });
    await release();
    await busy;
    // The round ran before the job existed. The job requests a new round during the write.
    await real.pass(0);
    expect(isWriting()).toBe(true);
    await release();
    await addingNew;
    await release();
    expect(ran.map((line) => line.split(' ')[0])).toEqual(['first', 'new']);
  });

  it('runs a leased job again at its later due time, unless its effect has finished it', async () => {
    const attempts: number[] = [];
    const world = createWorld({
      handlers: {
        lease: (db, job, nowMs) => {
          db.put('jobs', { ...job, dueMs: nowMs + 20_000 });
          return async () => {
            attempts.push(nowMs - world.startMs);
            // The first attempt does not finish the job, as after a crash.
            if (attempts.length > 1)
              await world.store.transact((tables) => tables.delete('jobs', job.id));
          };
        },
      },
    });
    world.scheduler.start();
    await world.add({ id: 'a', kind: 'lease', afterMs: 5 });
    await world.real.pass(60_000);
    expect(attempts).toEqual([5, 20_005]);
    expect(await world.store.transact((db) => db.count('jobs'))).toBe(0);
  });

  it('runs other jobs while an effect is slow', async () => {
    let finish = (): void => {};
    const { real, scheduler, ran, add } = createWorld({
      handlers: { slow: () => () => new Promise((resolve) => (finish = resolve)) },
    });
    scheduler.start();
    await add({ id: 'slow', kind: 'slow', afterMs: 1 }, { id: 'quick', afterMs: 2 });
    await real.pass(10);
    expect(ran).toEqual(['quick at 2']);
    finish();
  });

  it('runs a backlog in batches, so that other transactions can run in between', async () => {
    const { real, store, scheduler, ran, add } = createWorld();
    await add(...Array.from({ length: 1_000 }, (_, n) => ({ id: `job-${n}`, afterMs: 0 })));
    scheduler.start();
    await Promise.resolve();
    const seen = await store.transact((db) => db.count('jobs'));
    expect(seen).toBeGreaterThan(0);
    await real.pass(10);
    expect(ran).toHaveLength(1_000);
  });
});

describe('stop()', () => {
  it('waits for running effects, and starts no new jobs', async () => {
    let finish = (): void => {};
    const { real, scheduler, ran, add } = createWorld({
      handlers: { slow: () => () => new Promise((resolve) => (finish = resolve)) },
    });
    scheduler.start();
    await add({ id: 'slow', kind: 'slow', afterMs: 1 }, { id: 'later', afterMs: 10 });
    await real.pass(5);
    const stopped = vi.fn();
    const stopping = scheduler.stop().then(stopped);
    await settle();
    expect(stopped).not.toHaveBeenCalled();
    finish();
    await stopping;
    await real.pass(100);
    expect(ran).toEqual([]);
    expect(real.sleepers).toBe(0);
  });

  it('waits for a clock move', async () => {
    const { scheduler, ran, add } = createWorld();
    scheduler.start();
    await add({ id: 'a', afterMs: 10 });
    const moving = scheduler.clock.advance(10);
    await scheduler.stop();
    expect(ran).toEqual(['a at 10']);
    await moving;
  });
});

describe('runDue()', () => {
  it('waits for the effects of a backlog and the jobs that they make due', async () => {
    const world = createWorld({
      handlers: {
        deliver: (_db, job) => async () => {
          await settle();
          await world.add({ id: `then-${job.id}`, afterMs: 0 });
        },
      },
    });
    await world.add(
      ...Array.from({ length: 450 }, (_, n) => ({ id: `job-${n}`, kind: 'deliver', afterMs: 0 })),
    );
    await world.scheduler.runDue();
    expect(world.ran).toHaveLength(450);
  });
});

describe('the schedulers of several processes on one state', () => {
  it('run each job once, regardless of which one added it', async () => {
    const shared = createSharedMemory();
    const real = createManualClock();
    const worlds = Array.from({ length: 3 }, () =>
      createWorld({ log: createMemoryLog(shared), real, pollMs: 1_000 }),
    );
    for (const { scheduler } of worlds) scheduler.start();
    for (const [w, world] of worlds.entries()) {
      await world.add(
        ...Array.from({ length: 50 }, (_, n) => ({ id: `${w}-${n}`, afterMs: n * 40 })),
      );
    }
    await real.pass(5_000);
    const ran = worlds.flatMap((world) => world.ran.map((line) => line.split(' ')[0]));
    expect(ran).toHaveLength(150);
    expect(new Set(ran).size).toBe(150);
  });

  it('run a job that a dead process has leased, when its lease expires', async () => {
    const shared = createSharedMemory();
    const real = createManualClock();
    const lease: JobHandler = (db, job, nowMs) => {
      db.put('jobs', { ...job, kind: 'note', dueMs: nowMs + 20_000 });
      return () => new Promise(() => {});
    };
    // The other process reads the log before the job exists.
    const other = createWorld({ log: createMemoryLog(shared), real, pollMs: 1_000 });
    other.scheduler.start();
    await real.pass(100);
    const dying = createWorld({ log: createMemoryLog(shared), real, handlers: { lease } });
    await dying.add({ id: 'a', kind: 'lease', afterMs: 0 });
    dying.scheduler.start();
    await settle();
    // Simulates the crash: the dying process does nothing any more and never finishes its job.
    void dying.scheduler.stop();
    await real.pass(25_000);
    expect(other.ran).toEqual(['a at 20100']);
  });
});

/** Creates a log that writes when the test allows it. Entries without changes take no time. */
function createSlowLog(): { log: Log; release(): Promise<void>; isWriting(): boolean } {
  let finish: (() => void) | null = null;
  return {
    isWriting: () => finish !== null,
    async release() {
      await settle();
      const done = finish;
      finish = null;
      done?.();
      await settle();
    },
    log: {
      async commit(batch) {
        if (batch.run()) await new Promise<void>((resolve) => (finish = resolve));
      },
      close: () => Promise.resolve(),
    },
  };
}
