import { createClockMove, type ClockMoveOptions } from './clock-move.ts';
import {
  isFrozen,
  isInstant,
  LAST_INSTANT_MS,
  restartClock,
  stopClock,
  virtualNow,
} from './clock.ts';
import type { Db } from './db.ts';
import { ClockError } from './errors.ts';

/**
 * Control over virtual time. Clock moves run one after the other. A move runs the jobs of each instant
 * and awaits their effects before it continues with the next instant. It waits for an effect that may
 * hang only for some seconds of real time, and then makes it time out. An effect must not await a clock move,
 * because the move awaits the effect.
 */
export interface ClockControl {
  /** Returns the virtual time, in milliseconds since the epoch. */
  now(): Promise<number>;
  read(): Promise<ClockState>;
  /** Returns the same state as `read`, inside a transaction. */
  peek(db: Db): ClockState;
  freeze(): Promise<ClockState>;
  resume(): Promise<ClockState>;
  /**
   * Moves time forward and runs the jobs that become due, in order.
   * @param ms Milliseconds, integer, 0 or more.
   * @throws {ClockError} if `ms` is invalid or the target is after the year 9999.
   */
  advance(ms: number): Promise<ClockState>;
  /**
   * Moves time forward to an instant, in milliseconds since the epoch.
   * @throws {ClockError} if `toMs` is invalid or has passed.
   */
  set(toMs: number): Promise<ClockState>;
  /**
   * Moves time forward to the next job that is not housekeeping, and runs all jobs that are due by then. If
   * there is none, time does not move.
   */
  next(): Promise<ClockState>;
}

export interface ClockState {
  readonly nowMs: number;
  readonly frozen: boolean;
  /** The due time of the next job that is not housekeeping, or null if there is none. */
  readonly nextDueMs: number | null;
}

export interface ClockControlOptions extends ClockMoveOptions {
  /** Runs a step while no round of due jobs runs. Steps run one after the other. */
  readonly runAlone: <T>(step: () => Promise<T>) => Promise<T>;
}

export function createClockControl(options: ClockControlOptions): ClockControl {
  const { transact, clock: real, jobs, runAlone } = options;
  const moveTo = createClockMove(options);
  const nowIn = (db: Db): number => virtualNow(db, real.now());

  function readState(db: Db): ClockState {
    return {
      nowMs: nowIn(db),
      frozen: isFrozen(db),
      nextDueMs: jobs.peekAwaited(db)?.dueMs ?? null,
    };
  }

  /** Moves time to the target that `aim` returns. */
  const move = (aim: (db: Db) => number): Promise<ClockState> =>
    runAlone(async () => {
      await moveTo(aim);
      return transact(readState);
    });

  function change(write: (db: Db) => void): Promise<ClockState> {
    return runAlone(() =>
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
    freeze: () => change((db) => stopClock(db, nowIn(db))),
    resume: () => change((db) => restartClock(db, real.now())),
    async advance(ms) {
      if (!Number.isSafeInteger(ms) || ms < 0) {
        throw new ClockError(`ms must be an integer of 0 or more, got ${String(ms)}`);
      }
      return move((db) => assertInstant(nowIn(db) + ms));
    },
    async set(toMs) {
      assertInstant(toMs);
      return move((db) => {
        const nowMs = nowIn(db);
        if (toMs >= nowMs) return toMs;
        throw new ClockError(
          `Time only moves forward: the clock shows ${new Date(nowMs).toISOString()}, got ${new Date(toMs).toISOString()}`,
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
