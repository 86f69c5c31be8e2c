import type { MoveOperation } from './change-kinds.ts';
import { recordChange } from './changes.ts';
import type { Aim, ClockMove } from './clock-move.ts';
import {
  clockOffset,
  isFrozen,
  type RealClock,
  restartClock,
  stopClock,
  virtualNow,
} from './clock.ts';
import type { Db } from './db.ts';
import { ClockError } from './errors.ts';
import { isClockTime, LAST_CLOCK_MS, toIso } from './instant.ts';
import type { DueJobs } from './jobs.ts';
import type { Rounds } from './rounds.ts';
import type { Store } from './store.ts';

/**
 * Control over virtual time. Clock moves run one after the other.
 *
 * - A move runs the jobs of each instant and awaits their effects before it continues with the next instant.
 * - An effect that may hang has a `timeout`. A move waits for it for some seconds of real time (`WAIT_MS` in
 *   effects.ts), and then makes it time out.
 * - An effect must not await a clock move, because the move awaits the effect.
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
   * @throws {ClockError} if `ms` is invalid or the target is after 1 December 9999.
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
  /** How far the clock is ahead of the computer's. While frozen: at the freeze, plus the moves since then. */
  readonly offsetMs: number;
  /** The due time of the next job that is not housekeeping, or null if there is none. */
  readonly nextDueMs: number | null;
}

interface ControlParts {
  readonly transact: Store['transact'];
  readonly clock: RealClock;
  readonly jobs: DueJobs;
  readonly move: ClockMove;
  readonly runAlone: Rounds['runAlone'];
}

export function createClockControl(parts: ControlParts): ClockControl {
  const { transact, clock: real, jobs, move, runAlone } = parts;

  function readState(db: Db): ClockState {
    const realMs = real.now();
    return {
      nowMs: virtualNow(db, realMs),
      frozen: isFrozen(db),
      offsetMs: clockOffset(db, realMs),
      nextDueMs: jobs.peekAwaited(db)?.dueMs ?? null,
    };
  }

  function moveAlone(operation: MoveOperation, aim: Aim): Promise<ClockState> {
    return runAlone(async () => {
      await move(operation, aim);
      return transact(readState);
    });
  }

  /** Freezes or restarts the clock. A change is recorded only if it was not so before. */
  function setFrozen(frozen: boolean, write: (db: Db) => void): Promise<ClockState> {
    return runAlone(() =>
      transact((db) => {
        const before = isFrozen(db);
        write(db);
        if (before !== frozen)
          recordChange(db, {
            kind: frozen ? 'clock.frozen' : 'clock.resumed',
            values: [{ name: 'frozen', before, after: frozen }],
          });
        return readState(db);
      }),
    );
  }

  return {
    now: () => transact((db) => virtualNow(db, real.now())),
    read: () => transact(readState),
    peek: readState,
    freeze: () =>
      setFrozen(true, (db) => {
        const realMs = real.now();
        stopClock(db, virtualNow(db, realMs), realMs);
      }),
    resume: () => setFrozen(false, (db) => restartClock(db, real.now())),
    async advance(ms) {
      if (!Number.isSafeInteger(ms) || ms < 0) {
        throw new ClockError(`ms must be an integer of 0 or more, got ${String(ms)}`);
      }
      return moveAlone('advance', (_db, nowMs) => {
        assertInstant(nowMs + ms);
        return nowMs + ms;
      });
    },
    async set(toMs) {
      assertInstant(toMs);
      return moveAlone('set', (_db, nowMs) => {
        if (toMs >= nowMs) return toMs;
        throw new ClockError(
          `Time only moves forward: the clock shows ${toIso(nowMs)}, got ${toIso(toMs)}`,
        );
      });
    },
    next: () =>
      moveAlone('next', (db, nowMs) => {
        const next = jobs.peekAwaited(db);
        // An overdue job runs, but time does not move.
        return next ? Math.max(nowMs, Math.min(next.dueMs, LAST_CLOCK_MS)) : nowMs;
      }),
  };
}

function assertInstant(atMs: number): void {
  if (isClockTime(atMs)) return;
  throw new ClockError(
    `The time must be milliseconds since the epoch, an integer up to ${LAST_CLOCK_MS} (1 December 9999), got ${String(atMs)}`,
  );
}
