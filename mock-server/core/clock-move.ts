import { isFrozen, runOn, standAt, virtualNow, type RealClock } from './clock.ts';
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

/** How long a move may take over one instant before time runs on without it. */
const HOLD_MS = 30_000;

/** How often a move that waits for an effect looks for what has fallen due meanwhile, in real time. */
const LOOK_MS = 50;

/**
 * Moves virtual time to the target that `aim` sees, instant by instant, then lets it run on if it ran before.
 * Only one move at a time may be made, while nothing else runs jobs.
 */
export function createClockMove({
  transact,
  clock: real,
  jobs,
  effects,
}: ClockMoveOptions): (aim: (db: Db) => number) => Promise<void> {
  const nowIn = (db: Db): number => virtualNow(db, real.now());

  function stand(db: Db, atMs: number, isHold: boolean): void {
    standAt(db, atMs, isHold ? real.now() + HOLD_MS : undefined);
  }

  /** Runs what is due next, up to the target, and waits for its effects; or stands at the target. */
  async function runInstant(targetMs: number, isHold: boolean): Promise<number> {
    const due = await transact((db) => {
      const nextMs = Math.min(
        jobs.peek(db)?.dueMs ?? targetMs,
        effects.nextEndMs() ?? targetMs,
        targetMs,
      );
      const atMs = Math.max(nextMs, nowIn(db));
      stand(db, atMs, isHold);
      return { ...jobs.take(db, atMs), atMs };
    });
    const expired = effects.expire(due.atMs);
    effects.launch(due.effects);
    return due.taken + expired + (await rest());
  }

  /**
   * Waits for the effects under way. What falls due while one of them takes its time is not held up by it.
   * @returns how many jobs that was
   */
  async function rest(): Promise<number> {
    let taken = 0;
    while (!(await effects.waitFor(LOOK_MS))) {
      const due = await transact((db) => jobs.take(db, nowIn(db)));
      effects.launch(due.effects);
      taken += due.taken;
    }
    return taken;
  }

  return async (aim) => {
    effects.beginMove();
    await rest();
    const { targetMs, isHold } = await transact((db) => {
      const seen = { targetMs: aim(db), isHold: !isFrozen(db) };
      stand(db, nowIn(db), seen.isHold);
      return seen;
    });
    try {
      while ((await runInstant(targetMs, isHold)) > 0);
    } finally {
      if (isHold) await transact((db) => runOn(db, real.now()));
    }
  };
}
