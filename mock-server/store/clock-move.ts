import type { ChangeRow, MoveOperation } from './change-kinds.ts';
import { recordMove, recordMoveEnd } from './changes.ts';
import {
  endClockHold,
  holdClock,
  isFrozen,
  type RealClock,
  stopClock,
  virtualNow,
} from './clock.ts';
import { closedError } from './closing.ts';
import type { Db } from './db.ts';
import type { Effects } from './effects.ts';
import type { DueJobs } from './jobs.ts';
import type { Store } from './store.ts';

/**
 * Moves virtual time, instant by instant, to the target that `aim` returns, and records the move. If time was
 * running before the move, it runs again afterwards, also after an error. The caller must make only one move
 * at a time, and run no other jobs during it.
 */
export type ClockMove = (operation: MoveOperation, aim: Aim) => Promise<void>;

/** Returns the target of a clock move that begins at `nowMs`. */
export type Aim = (db: Db, nowMs: number) => number;

interface MoveParts {
  readonly transact: Store['transact'];
  readonly clock: RealClock;
  readonly jobs: DueJobs;
  readonly effects: Effects;
  /** When it aborts, the move ends with an error before its next instant. */
  readonly closing: AbortSignal;
  readonly detectSetBack: (db: Db) => void;
}

/** A clock move in progress. */
interface Move {
  readonly targetMs: number;
  /** True if time was running, so that the move only holds it, and lets it run again at its end. */
  readonly wasRunning: boolean;
  /** The record of the move. Null if time does not move. */
  readonly record: ChangeRow | null;
}

/**
 * The interval, in real time, at which a waiting clock move runs jobs that have become due in the meantime.
 */
const POLL_MS = 50;

/**
 * The real time after which a clock move lets requests, timers and signals run. A move over many instants may
 * otherwise never leave the queue of microtasks.
 */
const TURN_MS = 20;

export function createClockMove(parts: MoveParts): ClockMove {
  const { transact, clock: real, jobs, effects, closing, detectSetBack } = parts;
  const nowIn = (db: Db): number => virtualNow(db, real.now());

  function begin(db: Db, operation: MoveOperation, aim: Aim): Move {
    detectSetBack(db);
    const wasRunning = !isFrozen(db);
    stopAt(db, nowIn(db), wasRunning);
    // The target is computed from the stopped time, so that the clock moves by exactly the wanted length.
    const fromMs = nowIn(db);
    const targetMs = aim(db, fromMs);
    return { targetMs, wasRunning, record: recordMove(db, { operation, fromMs, targetMs }) };
  }

  function end(db: Db, { record, wasRunning }: Move): void {
    if (record) recordMoveEnd(db, record, nowIn(db));
    if (wasRunning) endClockHold(db, real.now());
  }

  /** Stops time at an instant. A hold ends by itself if this process dies. */
  function stopAt(db: Db, atMs: number, isHold: boolean): void {
    const realMs = real.now();
    const stopMs = Math.max(atMs, virtualNow(db, realMs));
    if (isHold) holdClock(db, stopMs, realMs);
    else stopClock(db, stopMs, realMs);
  }

  /** Runs all instants up to the target. */
  async function runInstants(move: Move): Promise<void> {
    let turnAtMs = real.now();
    while ((await runInstant(move)) > 0) {
      assertOpen();
      if (Math.abs(real.now() - turnAtMs) < TURN_MS) continue;
      await nextTurn();
      turnAtMs = real.now();
    }
  }

  /**
   * Moves to the next due job or the target, whichever comes first. Runs the due jobs and waits for their
   * effects.
   * @returns the number of jobs. It is 0 once time has reached the target and nothing is due there.
   */
  async function runInstant({ targetMs, wasRunning }: Move): Promise<number> {
    const due = await transact((db) => {
      const nextMs = Math.min(jobs.peek(db)?.dueMs ?? targetMs, targetMs);
      const atMs = Math.max(nextMs, nowIn(db));
      stopAt(db, atMs, wasRunning);
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

  function assertOpen(): void {
    if (closing.aborted) throw closedError();
  }

  return async (operation, aim) => {
    effects.beginMove();
    await awaitEffects();
    assertOpen();
    const move = await transact((db) => begin(db, operation, aim));
    try {
      await runInstants(move);
    } finally {
      await transact((db) => end(db, move));
    }
  };
}

/** Waits for a turn of the event loop. Test runners replace `setTimeout`, but not `MessageChannel`. */
function nextTurn(): Promise<void> {
  // The jsdom environment of a test runner may have none.
  if (typeof MessageChannel === 'undefined') return Promise.resolve();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const end = (): void => {
      port1.close();
      resolve();
    };
    port1.addEventListener('message', end, { once: true });
    port1.start();
    port2.postMessage(null);
  });
}
