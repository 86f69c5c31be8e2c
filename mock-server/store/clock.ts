import type { Db, Moment } from './db.ts';
import { LAST_CLOCK_MS } from './instant.ts';
import type { Random } from './random.ts';

/** A clock of real time, provided by the host. */
export interface RealClock {
  /** Returns the time, in milliseconds since the epoch. */
  now(): number;
  /**
   * Calls `wake` once at about this time, or earlier if the time is more than 24 days away.
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
 * Returns virtual time: the instant at which it is stopped, or real time plus the state's offset. After
 * `heldUntilMs`, time runs on from the instant at which a clock move stopped it. It ends at LAST_CLOCK_MS.
 */
export function virtualNow(db: Db, realNowMs: number): number {
  const row = db.get('clock', CLOCK_ID);
  if (!row) return realNowMs;
  const { frozenAtMs, heldUntilMs = Infinity } = row;
  const nowMs =
    frozenAtMs === null
      ? realNowMs + row.offsetMs
      : frozenAtMs + Math.max(0, realNowMs - heldUntilMs);
  return Math.min(nowMs, LAST_CLOCK_MS);
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
 * Returns how far virtual time is ahead of real time, without the real time that has passed since virtual
 * time was stopped: a frozen clock that is moved by an hour is an hour further ahead.
 */
export function clockOffset(db: Db, realNowMs: number): number {
  const row = db.get('clock', CLOCK_ID);
  const isStopped =
    row !== undefined && row.frozenAtMs !== null && realNowMs <= (row.heldUntilMs ?? Infinity);
  return isStopped ? row.offsetMs : virtualNow(db, realNowMs) - realNowMs;
}

/**
 * Stops virtual time at an instant, which is now or, for a clock move, later.
 * @param heldUntilMs The real time at which virtual time starts to run again. If absent, time is frozen.
 */
export function stopClock(db: Db, atMs: number, realNowMs: number, heldUntilMs?: number): void {
  const movedMs = atMs - virtualNow(db, realNowMs);
  const offsetMs = clockOffset(db, realNowMs) + movedMs;
  const row = { id: CLOCK_ID, frozenAtMs: atMs, offsetMs };
  db.put('clock', heldUntilMs === undefined ? row : { ...row, heldUntilMs });
}

/**
 * The longest real time for which a clock move stops time at one instant. After it, time runs again, in
 * case the process has died.
 */
const LONGEST_HOLD_MS = 30_000;

/** Stops virtual time at an instant of a clock move. */
export function holdClock(db: Db, atMs: number, realNowMs: number): void {
  stopClock(db, atMs, realNowMs, realNowMs + LONGEST_HOLD_MS);
}

/** Limits a hold that would last too long because the computer's clock was set back. */
export function shortenClockHold(db: Db, realNowMs: number): void {
  const { frozenAtMs = null, heldUntilMs = 0 } = db.get('clock', CLOCK_ID) ?? {};
  if (frozenAtMs !== null && heldUntilMs > realNowMs + LONGEST_HOLD_MS)
    holdClock(db, frozenAtMs, realNowMs);
}

/** Lets virtual time run again from its current instant. */
export function restartClock(db: Db, realNowMs: number): void {
  const offsetMs = virtualNow(db, realNowMs) - realNowMs;
  db.put('clock', { id: CLOCK_ID, frozenAtMs: null, offsetMs });
}

/**
 * Lets virtual time run again after a clock move. The real time of the move counts too, so that a move by an
 * hour sets the clock forward by exactly an hour.
 */
export function endClockHold(db: Db, realNowMs: number): void {
  // Time never moves back, even if the computer's clock was set back during the move.
  const nowMs = Math.max(virtualNow(db, realNowMs), realNowMs + clockOffset(db, realNowMs));
  db.put('clock', { id: CLOCK_ID, frozenAtMs: null, offsetMs: nowMs - realNowMs });
}

/**
 * Returns the real time, in milliseconds, until virtual time reaches an instant. Returns null if time is
 * frozen before that instant.
 */
export function realDelayMs(db: Db, atMs: number, realNowMs: number): number | null {
  const delayMs = Math.max(0, atMs - virtualNow(db, realNowMs));
  if (delayMs === 0) return 0;
  if (isFrozen(db)) return null;
  const heldUntilMs = db.get('clock', CLOCK_ID)?.heldUntilMs ?? realNowMs;
  return delayMs + Math.max(0, heldUntilMs - realNowMs);
}
