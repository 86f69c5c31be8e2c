import type { Db } from './db.ts';

/** Real time: the port that a host provides. */
export interface RealClock {
  now(): number;
  /**
   * Calls back once, at about the instant (early when it is more than 24 days off).
   * @param isAwaited Whether somebody waits for it, so that a process must not end before.
   * @returns how to cancel
   */
  wakeAt(atMs: number, wake: () => void, isAwaited?: boolean): () => void;
}

/** The longest delay that setTimeout keeps. */
const LONGEST_DELAY_MS = 2_147_483_647;

export const systemClock: RealClock = {
  now: () => Date.now(),
  wakeAt(atMs, wake, isAwaited = false) {
    const delayMs = Math.min(Math.max(0, atMs - Date.now()), LONGEST_DELAY_MS);
    const timer: unknown = setTimeout(wake, delayMs);
    // In Node a waiting deadline must not keep a finished test run alive.
    if (!isAwaited && typeof timer === 'object' && timer !== null && 'unref' in timer)
      (timer as { unref(): void }).unref();
    return () => clearTimeout(timer as number);
  },
};

/** Waits in real time, whatever becomes of the service's, and keeps the process from ending meanwhile. */
export function sleep(clock: RealClock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.wakeAt(clock.now() + ms, resolve, true));
}

export const CLOCK_ID = 'clock';

/** The end of the year 9999: later ones need more digits than most readers of ISO 8601 expect. */
export const LAST_INSTANT_MS = 253_402_300_799_999;

/** Whether a time, in milliseconds since the epoch, can be shown. */
export function isInstant(atMs: unknown): atMs is number {
  return Number.isSafeInteger(atMs) && Math.abs(atMs as number) <= LAST_INSTANT_MS;
}

/** Virtual time: where the state says it stands still, or real time moved by the state's offset. */
export function virtualNow(db: Db, realNowMs: number): number {
  const row = db.get('clock', CLOCK_ID);
  if (!row) return realNowMs;
  if (row.frozenAtMs === null) return realNowMs + row.offsetMs;
  const { frozenAtMs, heldUntilMs = Infinity } = row;
  return frozenAtMs + Math.max(0, realNowMs - heldUntilMs);
}

/** Whether time stands still until somebody lets it run, rather than for the length of a move. */
export function isFrozen(db: Db): boolean {
  const row = db.get('clock', CLOCK_ID);
  return row !== undefined && row.frozenAtMs !== null && row.heldUntilMs === undefined;
}

/**
 * Makes virtual time stand at an instant.
 * @param heldUntilMs The real time at which it runs on by itself. Without it, time is frozen.
 */
export function standAt(db: Db, atMs: number, heldUntilMs?: number): void {
  const offsetMs = db.get('clock', CLOCK_ID)?.offsetMs ?? 0;
  const row = { id: CLOCK_ID, frozenAtMs: atMs, offsetMs };
  db.put('clock', heldUntilMs === undefined ? row : { ...row, heldUntilMs });
}

/** Lets virtual time run on from where it is. */
export function runOn(db: Db, realNowMs: number): void {
  const offsetMs = virtualNow(db, realNowMs) - realNowMs;
  db.put('clock', { id: CLOCK_ID, frozenAtMs: null, offsetMs });
}

/** How long in real time until virtual time reaches an instant; null when it never does by itself. */
export function realDelayMs(db: Db, atMs: number, realNowMs: number): number | null {
  const delayMs = Math.max(0, atMs - virtualNow(db, realNowMs));
  if (delayMs === 0) return 0;
  if (isFrozen(db)) return null;
  const heldUntilMs = db.get('clock', CLOCK_ID)?.heldUntilMs ?? realNowMs;
  return delayMs + Math.max(0, heldUntilMs - realNowMs);
}
