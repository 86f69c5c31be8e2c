import type { Db, Moment } from './db.ts';
import { LAST_CLOCK_MS } from './instant.ts';
import type { Random } from './random.ts';
import type { ClockRow } from './rows.ts';

/** A clock of real time, provided by the host. */
export interface RealClock {
  /** Returns the time, in milliseconds since the epoch. */
  now(): number;
  /**
   * Calls `wake` once at about this time, or earlier if the time is more than 24 days away. The scheduler then
   * reads the time and calls this again.
   * @param isAwaited True keeps the process alive until then.
   * @returns a function that cancels the call
   */
  wakeAt(atMs: number, wake: () => void, isAwaited?: boolean): () => void;
}

/** The longest delay that setTimeout supports. */
const LONGEST_DELAY_MS = 2_147_483_647;

export const systemClock: RealClock = {
  now: () => Date.now(),
  wakeAt(atMs, wake, isAwaited = false) {
    const delayMs = Math.min(Math.max(0, atMs - Date.now()), LONGEST_DELAY_MS);
    const timer: unknown = setTimeout(wake, delayMs);
    if (!isAwaited) unref(timer);
    return () => clearTimeout(timer as number);
  },
};

/**
 * Lets the process end while a timer is pending, so that a timer does not keep a finished test run alive. In
 * a page, and in the jsdom environment of a test runner in Node, timers are numbers without `unref`.
 */
export function unref(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer)
    (timer as { unref(): void }).unref();
}

/**
 * Creates a clock for durations: it runs on when the computer's clock is set back. The time that it shows may
 * then be wrong.
 */
export function createSteadyClock(clock: RealClock): RealClock {
  let lastMs = -Infinity;
  let aheadMs = 0;
  function now(): number {
    const realMs = clock.now();
    aheadMs = Math.max(aheadMs, lastMs - realMs);
    lastMs = realMs + aheadMs;
    return lastMs;
  }
  return {
    now,
    wakeAt(atMs, wake, isAwaited) {
      const delayMs = atMs - now();
      return clock.wakeAt(clock.now() + delayMs, wake, isAwaited);
    },
  };
}

/**
 * Waits in real time, also while virtual time is frozen, and keeps the process alive. Ends early when the
 * signal aborts.
 */
export function sleep(clock: RealClock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.wakeAt(clock.now() + ms, end, true);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

export const CLOCK_ID = 'clock';

/**
 * Virtual time at a moment of real time, and how far it is ahead (see `clockOffset`). It has three states:
 *
 * - running: virtual time is real time plus an offset. `restartClock` and `endClockHold` start it.
 * - frozen: it stands still until it is restarted. `stopClock` freezes it, or moves a frozen clock.
 * - held: it stands still at an instant of a clock move. `holdClock` holds it, or moves a held clock. If the
 *   move does not end the hold, because its process has died, the hold ends by itself at `untilMs`.
 */
type VirtualClock = { readonly nowMs: number; readonly offsetMs: number } & (
  { readonly state: 'running' | 'frozen' } | { readonly state: 'held'; readonly untilMs: number }
);

function readClock(db: Db, realNowMs: number): VirtualClock {
  const row = db.get('clock', CLOCK_ID);
  if (!row) return runningClock(0, realNowMs);
  const { frozenAtMs, heldUntilMs, offsetMs } = row;
  if (frozenAtMs === null) return runningClock(offsetMs, realNowMs);
  const nowMs = Math.min(frozenAtMs, LAST_CLOCK_MS);
  if (heldUntilMs === undefined) return { state: 'frozen', nowMs, offsetMs };
  if (realNowMs <= heldUntilMs) return { state: 'held', nowMs, offsetMs, untilMs: heldUntilMs };
  // The hold has ended by itself. Time runs on from the instant at which it was held.
  return runningClock(frozenAtMs - heldUntilMs, realNowMs);
}

function runningClock(offsetMs: number, realNowMs: number): VirtualClock {
  const nowMs = Math.min(realNowMs + offsetMs, LAST_CLOCK_MS);
  return { state: 'running', nowMs, offsetMs: nowMs - realNowMs };
}

/** Returns virtual time, in milliseconds since the epoch. It ends at LAST_CLOCK_MS. */
export function virtualNow(db: Db, realNowMs: number): number {
  return readClock(db, realNowMs).nowMs;
}

/** Returns the moment of the running transaction: its time and its source of random numbers. */
export function momentOf(
  { clock, random }: { readonly clock: RealClock; readonly random: Random },
  db: Db,
): Moment {
  return { nowMs: virtualNow(db, clock.now()), random };
}

/**
 * Tells whether time is frozen until it is resumed. Time that only a clock move has stopped is not frozen.
 */
export function isFrozen(db: Db): boolean {
  const row = db.get('clock', CLOCK_ID);
  return row !== undefined && row.frozenAtMs !== null && row.heldUntilMs === undefined;
}

/**
 * Returns how far virtual time is ahead of real time. While it is stopped, real time that passes does not
 * count, but moves do: a clock that is frozen at 10:00, and moved by an hour at 10:20, shows 11:00 and is an
 * hour ahead. Once it runs again, it is 40 minutes ahead.
 */
export function clockOffset(db: Db, realNowMs: number): number {
  return readClock(db, realNowMs).offsetMs;
}

/** Freezes virtual time at an instant, which is now or, for a clock move, later. */
export function stopClock(db: Db, atMs: number, realNowMs: number): void {
  db.put('clock', stoppedAt(db, atMs, realNowMs));
}

/**
 * The longest real time for which a clock move stops time at one instant. After it, time runs again, in
 * case the process has died.
 */
const LONGEST_HOLD_MS = 30_000;

/** Holds virtual time at an instant of a clock move. */
export function holdClock(db: Db, atMs: number, realNowMs: number): void {
  const heldUntilMs = realNowMs + LONGEST_HOLD_MS;
  db.put('clock', { ...stoppedAt(db, atMs, realNowMs), heldUntilMs });
}

function stoppedAt(db: Db, atMs: number, realNowMs: number): ClockRow {
  const { nowMs, offsetMs } = readClock(db, realNowMs);
  const movedMs = atMs - nowMs;
  return { id: CLOCK_ID, frozenAtMs: atMs, offsetMs: offsetMs + movedMs };
}

/** Limits a hold that would last too long because the computer's clock was set back. */
export function shortenClockHold(db: Db, realNowMs: number): void {
  const clock = readClock(db, realNowMs);
  if (clock.state === 'held' && clock.untilMs > realNowMs + LONGEST_HOLD_MS)
    holdClock(db, clock.nowMs, realNowMs);
}

/** Lets virtual time run from its current instant. */
export function restartClock(db: Db, realNowMs: number): void {
  const offsetMs = virtualNow(db, realNowMs) - realNowMs;
  db.put('clock', { id: CLOCK_ID, frozenAtMs: null, offsetMs });
}

/**
 * Lets virtual time run again after a clock move. The real time of the move counts too, so that a move by an
 * hour sets the clock forward by exactly an hour. If the computer's clock was set back during the move, time
 * runs on from the instant at which it was held, so that the end of a move does not set it back.
 */
export function endClockHold(db: Db, realNowMs: number): void {
  const { nowMs, offsetMs } = readClock(db, realNowMs);
  const resumedAtMs = Math.max(nowMs, realNowMs + offsetMs);
  db.put('clock', { id: CLOCK_ID, frozenAtMs: null, offsetMs: resumedAtMs - realNowMs });
}

/**
 * Returns the real time, in milliseconds, until virtual time reaches an instant. It is 0 if that instant has
 * passed. Returns null if time is frozen before it.
 */
export function realDelayMs(db: Db, atMs: number, realNowMs: number): number | null {
  const clock = readClock(db, realNowMs);
  const delayMs = atMs - clock.nowMs;
  if (delayMs <= 0) return 0;
  switch (clock.state) {
    case 'running':
      return delayMs;
    case 'frozen':
      return null;
    case 'held':
      return clock.untilMs - realNowMs + delayMs;
  }
}
