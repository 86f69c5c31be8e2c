import { isFrozen, restartClock, stopClock, virtualNow, type RealClock } from './clock.ts';
import type { Db } from './db.ts';
import type { DueJobs } from './due-jobs.ts';
import type { Effects } from './effects.ts';
import type { Store } from './store.ts';

export interface ClockMoveOptions {
  readonly transact: Store['transact'];
  readonly clock: RealClock;
  readonly jobs: DueJobs;
  readonly effects: Effects;
}

/**
 * The longest real time for which a clock move stops time at one instant. After it, time runs again, in
 * case the process has died.
 */
const HOLD_MS = 30_000;

/**
 * The interval, in real time, at which a waiting clock move runs jobs that have become due in the meantime.
 */
const POLL_MS = 50;

/**
 * Creates a function that moves virtual time, instant by instant, to the target that `aim` returns. If time
 * was running before the move, it runs again afterwards. The caller must make only one move at a time, and
 * run no other jobs during it.
 */
export function createClockMove({
  transact,
  clock: real,
  jobs,
  effects,
}: ClockMoveOptions): (aim: (db: Db) => number) => Promise<void> {
  const nowIn = (db: Db): number => virtualNow(db, real.now());

  function stopAt(db: Db, atMs: number, isHold: boolean): void {
    stopClock(db, atMs, isHold ? real.now() + HOLD_MS : undefined);
  }

  /**
   * Moves to the next due job or the target, whichever comes first. Runs the due jobs and waits for their
   * effects.
   * @returns the number of jobs
   */
  async function runInstant(targetMs: number, isHold: boolean): Promise<number> {
    const due = await transact((db) => {
      const nextMs = Math.min(jobs.peek(db)?.dueMs ?? targetMs, targetMs);
      const atMs = Math.max(nextMs, nowIn(db));
      stopAt(db, atMs, isHold);
      return jobs.take(db, atMs);
    });
    effects.launch(due.effects);
    return due.taken + (await awaitEffects());
  }

  /**
   * Waits for the effects in progress. Jobs that become due in the meantime still run.
   * @returns the number of these jobs
   */
  async function awaitEffects(): Promise<number> {
    let taken = 0;
    while (!(await effects.waitFor(POLL_MS))) {
      const due = await transact((db) => jobs.take(db, nowIn(db)));
      effects.launch(due.effects);
      taken += due.taken;
    }
    return taken;
  }

  return async (aim) => {
    effects.beginMove();
    await awaitEffects();
    const { targetMs, isHold } = await transact((db) => {
      const move = { targetMs: aim(db), isHold: !isFrozen(db) };
      stopAt(db, nowIn(db), move.isHold);
      return move;
    });
    try {
      while ((await runInstant(targetMs, isHold)) > 0);
    } finally {
      if (isHold) await transact((db) => restartClock(db, real.now()));
    }
  };
}
