import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  endClockHold,
  holdClock,
  realDelayMs,
  restartClock,
  shortenClockHold,
  stopClock,
  systemClock,
  virtualNow,
} from '../../../mock-server/store/clock.ts';
import { Db } from '../../../mock-server/store/db.ts';
import { ClockError } from '../../../mock-server/store/errors.ts';
import type { Log } from '../../../mock-server/store/log.ts';
import type { ClockRow } from '../../../mock-server/store/rows.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';
import { createWorld } from './world.ts';

const REAL = 1_000_000;

type ClockCase = readonly [
  why: string,
  row: Omit<ClockRow, 'id'> | null,
  now: number,
  /** The real delay until virtual time 1,000,500, or null if it never comes. */
  delay: number | null,
];
const at = (frozenAtMs: number | null, offsetMs = 0, more: Partial<ClockRow> = {}) => ({
  frozenAtMs,
  offsetMs,
  ...more,
});

describe('virtual time', () => {
  it.each<ClockCase>([
    ['the clock has never been changed', null, REAL, 500],
    ['the clock runs ahead', at(null, 200), REAL + 200, 300],
    ['the clock runs behind', at(null, -200), REAL - 200, 700],
    ['the due time has passed', at(null, 900), REAL + 900, 0],
    ['the clock is frozen before the due time', at(5), 5, null],
    ['the clock is frozen after the due time', at(REAL + 500), REAL + 500, 0],
    ['a move is in progress', at(REAL + 100, 0, { heldUntilMs: REAL + 30 }), REAL + 100, 430],
    ['the moving process is stuck', at(REAL + 100, 0, { heldUntilMs: REAL - 50 }), REAL + 150, 350],
  ])('is computed correctly when %s', (_why, row, now, delay) => {
    const db = new Db();
    if (row) db.put('clock', { id: 'clock', ...row });
    expect(virtualNow(db, REAL)).toBe(now);
    expect(realDelayMs(db, REAL + 500, REAL)).toBe(delay);
  });
});

describe('virtual time (property)', () => {
  type Step = readonly [
    name: 'pass' | 'set back' | 'freeze' | 'hold' | 'restart' | 'end hold' | 'shorten hold',
    ms: number,
  ];
  const steps: fc.Arbitrary<Step[]> = fc.array(
    fc.tuple(
      fc.constantFrom('pass', 'set back', 'freeze', 'hold', 'restart', 'end hold', 'shorten hold'),
      fc.integer({ min: 0, max: 60_000 }),
    ),
  );

  it('goes back only if a running computer’s clock is set back', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const db = new Db();
        let realMs = REAL;
        for (const [name, ms] of all) {
          const before = virtualNow(db, realMs);
          if (name === 'pass') realMs += ms;
          if (name === 'set back') realMs -= ms;
          if (name === 'freeze') stopClock(db, before + ms, realMs);
          if (name === 'hold') holdClock(db, before + ms, realMs);
          if (name === 'restart') restartClock(db, realMs);
          if (name === 'end hold') endClockHold(db, realMs);
          if (name === 'shorten hold') shortenClockHold(db, realMs);
          const after = virtualNow(db, realMs);
          if (name !== 'set back') expect(after, name).toBeGreaterThanOrEqual(before);
          if (name === 'restart' || name === 'shorten hold') expect(after, name).toBe(before);
        }
      }),
    );
  });
});

describe('systemClock', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('wakes at the given time, unless it is cancelled', () => {
    vi.useFakeTimers();
    const [kept, cancelled] = [vi.fn(), vi.fn()];
    systemClock.wakeAt(Date.now() + 1_000, kept);
    systemClock.wakeAt(Date.now() + 1_000, cancelled)();
    vi.advanceTimersByTime(999);
    expect(kept).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(kept).toHaveBeenCalledTimes(1);
    expect(cancelled).not.toHaveBeenCalled();
  });

  it('wakes after the longest delay of setTimeout, not at once, if the time is farther away', () => {
    vi.useFakeTimers();
    const wake = vi.fn();
    systemClock.wakeAt(Date.now() + 100 * 86_400_000, wake);
    vi.advanceTimersByTime(2_147_483_646);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('wakes at once if the time has passed', () => {
    vi.useFakeTimers();
    const wake = vi.fn();
    systemClock.wakeAt(Date.now() - 5_000, wake);
    vi.advanceTimersByTime(0);
    expect(wake).toHaveBeenCalledTimes(1);
  });
});

describe('freeze() and resume()', () => {
  it('stop the time, and let it continue from the same time', async () => {
    const { real, scheduler, startMs } = createWorld();
    const { clock } = scheduler;
    await real.pass(100);
    expect(await clock.freeze()).toMatchObject({ nowMs: startMs + 100, frozen: true });
    await real.pass(5_000);
    expect(await clock.now()).toBe(startMs + 100);
    expect(await clock.resume()).toMatchObject({ nowMs: startMs + 100, frozen: false });
    await real.pass(50);
    expect(await clock.now()).toBe(startMs + 150);
  });

  it('let no job become due while the time is frozen', async () => {
    const { real, scheduler, ran, add } = createWorld();
    scheduler.start();
    await scheduler.clock.freeze();
    await add({ id: 'at once', afterMs: 0 }, { id: 'deadline', afterMs: 10 });
    await real.pass(1_000);
    expect(ran).toEqual(['at once at 0']);
    await scheduler.clock.resume();
    await real.pass(9);
    expect(ran).toHaveLength(1);
    await real.pass(1);
    expect(ran).toEqual(['at once at 0', 'deadline at 10']);
  });
});

describe('the offset of the clock', () => {
  const HOUR = 3_600_000;

  /** Creates a world in which each look at the computer's clock takes `stepMs`, as on a slow computer. */
  function aSlowWorld(stepMs = 7) {
    const manual = createManualClock();
    let lateMs = 0;
    const now = (): number => {
      lateMs += stepMs;
      return manual.now() + lateMs;
    };
    const world = createWorld({ real: { ...manual, now } });
    return { ...world, clock: world.scheduler.clock };
  }

  it('grows by exactly the length of each move, although a move takes time', async () => {
    const { clock, add, ran } = aSlowWorld();
    await add({ id: 'a', afterMs: HOUR }, { id: 'b', afterMs: 5 * HOUR });
    expect(await clock.read()).toMatchObject({ offsetMs: 0 });
    for (const hours of [2, 4, 6, 8]) {
      expect(await clock.advance(2 * HOUR)).toMatchObject({ offsetMs: hours * HOUR });
    }
    expect(ran).toHaveLength(2);
  });

  it('of a frozen clock changes with its moves, but not while real time passes', async () => {
    const { clock } = aSlowWorld();
    await clock.advance(60_000);
    expect(await clock.freeze()).toMatchObject({ offsetMs: 60_000 });
    expect(await clock.read()).toMatchObject({ offsetMs: 60_000 });
    expect(await clock.advance(HOUR)).toMatchObject({ frozen: true, offsetMs: HOUR + 60_000 });
    // A resumed clock runs on from where it was frozen, so it has fallen behind.
    const { offsetMs } = await clock.resume();
    expect(offsetMs).toBeLessThan(HOUR + 60_000);
  });

  it('never moves time back, even if the computer is set back during a move', async () => {
    const { clock, startMs } = aSlowWorld(-1_000);
    const { nowMs } = await clock.advance(HOUR);
    expect(nowMs).toBeGreaterThan(startMs + HOUR - 20_000);
    expect(await clock.now()).toBeLessThanOrEqual(nowMs);
  });
});

describe('set()', () => {
  it('rejects a past time without stopping the clock', async () => {
    const { real, scheduler, startMs } = createWorld({
      real: createManualClock(Date.UTC(2026, 0, 1)),
    });
    await expect(scheduler.clock.set(startMs - 1)).rejects.toThrow(
      'Time only moves forward: the clock shows 2026-01-01T00:00:00.000Z, got 2025-12-31T23:59:59.999Z',
    );
    await real.pass(5);
    expect(await scheduler.clock.read()).toMatchObject({ nowMs: startMs + 5, frozen: false });
  });

  it.each([Number.NaN, 1.5, 253_402_300_800_000])('rejects %s', async (toMs) => {
    await expect(createWorld().scheduler.clock.set(toMs)).rejects.toThrow(RangeError);
  });
});

describe('next()', () => {
  it('moves to the next due time and runs all its jobs', async () => {
    const { scheduler, ran, add, startMs } = createWorld();
    await scheduler.clock.freeze();
    await add({ id: 'a', afterMs: 10 }, { id: 'b', afterMs: 10 }, { id: 'c', afterMs: 20 });
    expect(await scheduler.clock.next()).toMatchObject({
      nowMs: startMs + 10,
      frozen: true,
      nextDueMs: startMs + 20,
    });
    expect(ran).toEqual(['a at 10', 'b at 10']);
  });

  it('does not move if there is no job', async () => {
    const { scheduler, startMs } = createWorld();
    await scheduler.clock.freeze();
    expect(await scheduler.clock.next()).toMatchObject({ nowMs: startMs, nextDueMs: null });
  });
});

describe('advance()', () => {
  it.each([true, false])('runs each job at its due time (frozen: %s)', async (isFrozen) => {
    const { real, scheduler, ran, add, startMs } = createWorld();
    scheduler.start();
    if (isFrozen) await scheduler.clock.freeze();
    await add({ id: 'b', afterMs: 200 }, { id: 'a', afterMs: 100 }, { id: 'c', afterMs: 301 });
    const state = await scheduler.clock.advance(300);
    expect(ran).toEqual(['a at 100', 'b at 200']);
    expect(state).toMatchObject({
      nowMs: startMs + 300,
      frozen: isFrozen,
      nextDueMs: startMs + 301,
    });
    await real.pass(50);
    expect(await scheduler.clock.now()).toBe(startMs + (isFrozen ? 300 : 350));
  });

  it('waits for the effects of one due time before it moves to the next', async () => {
    const story: string[] = [];
    const world = createWorld({
      handlers: {
        request: (_db, job) => async () => {
          story.push(`${job.id} starts`);
          await settle();
          story.push(`${job.id} ends`);
        },
      },
    });
    await world.scheduler.clock.freeze();
    await world.add(
      { id: 'a', kind: 'request', afterMs: 10 },
      { id: 'b', kind: 'request', afterMs: 10 },
      { id: 'c', kind: 'request', afterMs: 20 },
    );
    await world.scheduler.clock.advance(100);
    expect(story).toEqual(['a starts', 'b starts', 'a ends', 'b ends', 'c starts', 'c ends']);
  });

  it('waits for a run of due jobs that is being written, and for its effects', async () => {
    const story: string[] = [];
    const { real, scheduler, add } = createWorld({
      log: createSlowLog(),
      handlers: {
        slow: () => async () => {
          for (let n = 0; n < 5; n += 1) await settle();
          story.push('the effect ends');
        },
        later: () => void story.push('a later job'),
      },
    });
    await add({ id: 'a', kind: 'slow', afterMs: 0 }, { id: 'b', kind: 'later', afterMs: 1_000 });
    scheduler.start();
    await scheduler.clock.advance(1_000);
    expect(story).toEqual(['the effect ends', 'a later job']);
    expect(real.sleepers).toBe(0);
  });

  it('finishes all batches of one due time before the next due time, even if a timer fires meanwhile', async () => {
    let done = 0;
    const seen: number[] = [];
    const { real, scheduler, add } = createWorld({
      handlers: {
        slow: () => async () => {
          for (let n = 0; n < 3; n += 1) await settle();
          done += 1;
        },
        look: () => void seen.push(done),
      },
    });
    scheduler.start();
    await add(
      ...Array.from({ length: 450 }, (_, n) => ({ id: `job-${n}`, kind: 'slow', afterMs: 10 })),
      { id: 'look', kind: 'look', afterMs: 20 },
    );
    await settle();
    // Real time reaches 10 while the move is still running the jobs that are due at 10.
    const moving = scheduler.clock.advance(20);
    await real.pass(10);
    await moving;
    expect(seen).toEqual([450]);
  });

  it('completes the move before a concurrent freeze() takes effect', async () => {
    const { real, scheduler, add, startMs } = createWorld();
    scheduler.start();
    await add({ id: 'a', afterMs: 10 });
    const moving = scheduler.clock.advance(100);
    const frozen = await scheduler.clock.freeze();
    await moving;
    await real.pass(1_000);
    expect(frozen).toMatchObject({ nowMs: startMs + 100, frozen: true });
    expect(await scheduler.clock.now()).toBe(startMs + 100);
  });

  it('shows other processes only the time that the move has reached', async () => {
    const { real, store, scheduler, add, startMs } = createWorld({
      handlers: {
        slow: () => async () => {
          await real.pass(500);
          seen.push((await store.transact((db) => virtualNow(db, real.now()))) - startMs);
        },
      },
    });
    const seen: number[] = [];
    await add({ id: 'a', kind: 'slow', afterMs: 10 }, { id: 'b', kind: 'slow', afterMs: 20 });
    await scheduler.clock.advance(30);
    expect(seen).toEqual([10, 20]);
    // The second that passed during the move counts too.
    expect(await scheduler.clock.now()).toBe(startMs + 1_030);
  });

  it('does not leave the time frozen if the moving process dies', async () => {
    const shared = createSharedMemory();
    const real = createManualClock();
    const dying = createWorld({
      log: createSharedMemoryLog(shared),
      real,
      handlers: { hangs: () => () => new Promise(() => {}) },
    });
    await dying.add({ id: 'a', kind: 'hangs', afterMs: 1_000 });
    void dying.scheduler.clock.advance(5_000);
    await settle();

    const other = createWorld({ log: createSharedMemoryLog(shared), real });
    other.scheduler.start();
    await other.add({ id: 'b', afterMs: 2_000 });
    expect(await other.scheduler.clock.read()).toMatchObject({
      nowMs: other.startMs + 1_000,
      frozen: false,
    });
    await real.pass(30_000);
    expect(await other.scheduler.clock.now()).toBe(other.startMs + 1_000);
    await real.pass(1_000);
    expect(other.ran).toEqual(['b at 2000']);
  });

  it.each([-1, 1.5, Number.NaN, Infinity, '5', null])('rejects %s', async (ms) => {
    const { scheduler } = createWorld();
    await expect(scheduler.clock.advance(ms as number)).rejects.toThrow(
      new ClockError(`ms must be an integer of 0 or more, got ${String(ms)}`),
    );
  });

  it('rejects a time after its last, and stays usable', async () => {
    const { scheduler, startMs } = createWorld();
    await expect(scheduler.clock.advance(253_402_300_800_000 - startMs)).rejects.toThrow(
      'The time must be milliseconds since the epoch, an integer up to 253399622400000 (1 December 9999), got 253402300800000',
    );
    expect(await scheduler.clock.advance(1)).toMatchObject({ nowMs: startMs + 1, frozen: false });
  });
});

/** Creates a log that is slow for every entry. */
function createSlowLog(): Log {
  return {
    isShared: false,
    async commit(batch) {
      if (batch.run()) await settle();
    },
    close: () => Promise.resolve(),
  };
}
