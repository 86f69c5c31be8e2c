import {
  CLOCK_ID,
  isFrozen,
  isInstant,
  LAST_INSTANT_MS,
  virtualNow,
  type RealClock,
} from './clock.ts';
import type { Db } from './db.ts';
import type { DueJobs } from './due-jobs.ts';
import type { Effects } from './effects.ts';
import { ClockError } from './errors.ts';
import type { Store } from './store.ts';

/**
 * Moves of the clock come one after the other and await the effects of each instant before the next, as far
 * as their patience goes: an effect with a time limit that hangs is left behind after some seconds of real
 * time, and ends when the move gets to its limit. An effect must not await a move.
 */
export interface ClockControl {
  /** Virtual now, milliseconds since the epoch. */
  now(): Promise<number>;
  read(): Promise<ClockState>;
  /** The state that `read` resolves with, for a caller that has the tables at hand. */
  peek(db: Db): ClockState;
  freeze(): Promise<ClockState>;
  resume(): Promise<ClockState>;
  /**
   * Moves time forward, running in order everything that falls due on the way.
   * @param ms Milliseconds, integer, 0 or more.
   * @throws {ClockError}
   */
  advance(ms: number): Promise<ClockState>;
  /**
   * Moves time forward to an instant, milliseconds since the epoch.
   * @throws {ClockError} when the instant has passed.
   */
  set(toMs: number): Promise<ClockState>;
  /** Moves time forward to the next thing due and runs it; stays when nothing is. */
  next(): Promise<ClockState>;
}

export interface ClockState {
  readonly nowMs: number;
  readonly frozen: boolean;
  /** When the next job is due; null when nothing waits. */
  readonly nextDueMs: number | null;
}

export interface ClockControlOptions {
  readonly transact: Store['transact'];
  readonly clock: RealClock;
  readonly jobs: DueJobs;
  readonly effects: Effects;
  /** Runs a step while the rounds of real time wait, one step after the other. */
  readonly inTurn: <T>(step: () => Promise<T>) => Promise<T>;
}

/** How long a move may take over one instant before time runs on without it. */
const HOLD_MS = 30_000;

/** How often a move that waits for an effect looks for what has fallen due meanwhile, in real time. */
const LOOK_MS = 50;

export function createClockControl(options: ClockControlOptions): ClockControl {
  const { transact, clock: real, jobs, effects, inTurn } = options;
  const nowIn = (db: Db): number => virtualNow(db, real.now());

  function readState(db: Db): ClockState {
    return {
      nowMs: nowIn(db),
      frozen: isFrozen(db),
      nextDueMs: jobs.peekAwaited(db)?.dueMs ?? null,
    };
  }

  function standAt(db: Db, atMs: number, isHold: boolean): void {
    const offsetMs = db.get('clock', CLOCK_ID)?.offsetMs ?? 0;
    const row = { id: CLOCK_ID, frozenAtMs: atMs, offsetMs };
    db.put('clock', isHold ? { ...row, heldUntilMs: real.now() + HOLD_MS } : row);
  }

  function release(db: Db): void {
    db.put('clock', { id: CLOCK_ID, frozenAtMs: null, offsetMs: nowIn(db) - real.now() });
  }

  /** Moves to the target that `aim` sees, instant by instant, then lets time run on if it ran before. */
  function move(aim: (db: Db) => number): Promise<ClockState> {
    return inTurn(async () => {
      effects.beginMove();
      await rest();
      const { targetMs, isHold } = await transact((db) => {
        const seen = { targetMs: aim(db), isHold: !isFrozen(db) };
        standAt(db, nowIn(db), seen.isHold);
        return seen;
      });
      try {
        while ((await runInstant(targetMs, isHold)) > 0);
      } finally {
        if (isHold) await transact(release);
      }
      return transact(readState);
    });
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
      standAt(db, atMs, isHold);
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

  function change(write: (db: Db) => void): Promise<ClockState> {
    return inTurn(() =>
      transact((db) => {
        write(db);
        return readState(db);
      }),
    );
  }

  return {
    now: () => transact(nowIn),
    read: () => transact(readState),
    peek: readState,
    freeze: () => change((db) => standAt(db, nowIn(db), false)),
    resume: () => change(release),
    async advance(ms) {
      if (!Number.isSafeInteger(ms) || ms < 0) {
        throw new ClockError(`ms must be an integer from 0 up, got ${String(ms)}`);
      }
      return move((db) => assertInstant(nowIn(db) + ms));
    },
    async set(toMs) {
      assertInstant(toMs);
      return move((db) => {
        const nowMs = nowIn(db);
        if (toMs >= nowMs) return toMs;
        throw new ClockError(
          `Time only moves forward: it is ${new Date(nowMs).toISOString()}, got ${new Date(toMs).toISOString()}`,
        );
      });
    },
    next: () => move((db) => jobs.peekAwaited(db)?.dueMs ?? nowIn(db)),
  };
}

function assertInstant(atMs: number): number {
  if (!isInstant(atMs)) {
    throw new ClockError(
      `The time must be milliseconds since the epoch, an integer up to ${LAST_INSTANT_MS} (the end of the year 9999), got ${String(atMs)}`,
    );
  }
  return atMs;
}
