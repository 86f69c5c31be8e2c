import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../mock-server/store/clock.ts';
import { type Log, LogError } from '../../../mock-server/store/log.ts';
import type { Effect, JobHandler } from '../../../mock-server/store/scheduler.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';
import { createWorld } from './world.ts';

describe('the scheduler in real time', () => {
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

it('a clock move over many instants lets timers run, and ends when the service closes', async () => {
  const closing = new AbortController();
  let hasTimer = false;
  const { scheduler, add } = createWorld({
    real: Object.assign(createManualClock(), systemClock),
    handlers: {
      // Takes a millisecond of the processor.
      busy: () => {
        if (!hasTimer) setTimeout(() => closing.abort());
        hasTimer = true;
        const endMs = performance.now() + 1;
        while (performance.now() < endMs);
        return undefined;
      },
    },
    closing: closing.signal,
  });
  await scheduler.clock.freeze();
  await add(
    ...Array.from({ length: 2_000 }, (_, n) => ({ id: `${n}`, kind: 'busy', afterMs: n * SECOND })),
  );
  await expect(scheduler.clock.advance(3_000 * SECOND)).rejects.toThrow('The service is closed');
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
      createWorld({ log: createSharedMemoryLog(shared), real, pollMs: 1_000 }),
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
      isShared: false,
      async commit(batch) {
        if (batch.run()) await new Promise<void>((resolve) => (finish = resolve));
      },
      close: () => Promise.resolve(),
    },
  };
}

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
      isShared: false,
      async commit(batch: Parameters<Log['commit']>[0]) {
        if (batch.run() && state.isFull) throw new LogError('append_failed', 'The disk is full');
      },
      close: () => Promise.resolve(),
    },
  };
  return state;
}

const SECOND = 1_000;

/** Creates the handler of a job whose effect hangs until it times out, or until `answer()` is called. */
function createHanging(story: string[]) {
  const running = new Set<() => void>();
  const handler: JobHandler = (_db, { id, ref }) => {
    let expire = (): void => {};
    const hanging = new Promise<void>((resolve) => (expire = resolve));
    running.add(expire);
    const effect: Effect = Object.assign(
      async () => {
        story.push(`${id} starts`);
        await hanging;
        running.delete(expire);
        story.push(`${id} ends`);
      },
      { timeout: { group: ref, expire } },
    );
    return effect;
  };
  /** Lets every hanging effect finish. */
  const answer = (): void => {
    for (const end of running) end();
  };
  return { handler, answer };
}

/** Tracks whether a clock move has finished. */
function watch(move: Promise<unknown>): { isOver: boolean } {
  const state = { isOver: false };
  void move.then(() => (state.isOver = true));
  return state;
}

describe('a clock move while an effect hangs', () => {
  it('waits five seconds of real time, then makes the effect time out before later jobs run', async () => {
    const story: string[] = [];
    const { handler } = createHanging(story);
    const { real, scheduler, add, ran } = createWorld({ handlers: { hang: handler } });
    await scheduler.clock.freeze();
    await add({ id: 'a', kind: 'hang', afterMs: 0 }, { id: 'later', afterMs: 20 * SECOND });
    const move = watch(scheduler.clock.advance(60 * SECOND));
    await real.pass(5 * SECOND - 1);
    expect({ story, ran, move }).toEqual({ story: ['a starts'], ran: [], move: { isOver: false } });
    await real.pass(1);
    expect(story).toEqual(['a starts', 'a ends']);
    expect(ran).toEqual(['later at 20000']);
    expect(move.isOver).toBe(true);
  });

  it('waits five seconds for an effect that was in progress before the move', async () => {
    const story: string[] = [];
    const { handler } = createHanging(story);
    const { real, scheduler, add } = createWorld({ handlers: { hang: handler } });
    scheduler.start();
    await add({ id: 'a', kind: 'hang', afterMs: 0 });
    await real.pass(20 * SECOND);
    expect(story).toEqual(['a starts']);
    const move = watch(scheduler.clock.advance(SECOND));
    await real.pass(5 * SECOND - 1);
    expect(story).toEqual(['a starts']);
    await real.pass(1);
    expect(story).toEqual(['a starts', 'a ends']);
    expect(move.isOver).toBe(true);
    await scheduler.stop();
  });

  it('waits for an effect that finishes in time before it moves the clock further', async () => {
    const story: string[] = [];
    const { handler, answer } = createHanging(story);
    const { real, scheduler, add, ran } = createWorld({ handlers: { hang: handler } });
    await scheduler.clock.freeze();
    await add({ id: 'a', kind: 'hang', afterMs: 0 }, { id: 'later', afterMs: 20 * SECOND });
    const move = watch(scheduler.clock.advance(60 * SECOND));
    await real.pass(4 * SECOND);
    expect(ran).toEqual([]);
    answer();
    await settle();
    expect(ran).toEqual(['later at 20000']);
    expect(move.isOver).toBe(true);
  });

  it('runs jobs that become due during the wait within 50 ms', async () => {
    const { handler } = createHanging([]);
    const { real, scheduler, add, ran } = createWorld({ handlers: { hang: handler } });
    await scheduler.clock.freeze();
    await add({ id: 'a', kind: 'hang', afterMs: 0 });
    void scheduler.clock.advance(60 * SECOND);
    await real.pass(SECOND);
    await add({ id: 'new', afterMs: 0 });
    await real.pass(50);
    expect(ran).toEqual(['new at 0']);
    await real.pass(5 * SECOND);
  });

  it('waits only 50 ms for effects of a group that has already hung in this move, and five seconds again in the next move', async () => {
    const story: string[] = [];
    const { handler } = createHanging(story);
    const { real, scheduler, add } = createWorld({ handlers: { hang: handler } });
    await scheduler.clock.freeze();
    const hang = (id: string, afterS: number, ref = 'endpoint') => ({
      id,
      kind: 'hang',
      afterMs: afterS * SECOND,
      ref,
    });
    await add(hang('a', 0), hang('b', 100), hang('c', 200), hang('other', 300, 'other endpoint'));
    const move = watch(scheduler.clock.advance(250 * SECOND));
    await real.pass(5 * SECOND + 100);
    expect(story.filter((line) => line.endsWith('ends'))).toEqual(['a ends', 'b ends', 'c ends']);
    expect(move.isOver).toBe(true);

    await add(hang('d', 260));
    const next = watch(scheduler.clock.advance(600 * SECOND));
    await real.pass(5 * SECOND - 1);
    expect(story).not.toContain('d ends');
    await real.pass(1);
    expect(story).toContain('d ends');
    // A different group is a different receiver, so the full wait applies again.
    expect(story).not.toContain('other ends');
    await real.pass(5 * SECOND);
    expect(story).toContain('other ends');
    expect(next.isOver).toBe(true);
  });
});
