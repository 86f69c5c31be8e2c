import { afterEach, describe, expect, it, vi } from 'vitest';
import { realDelayMs, systemClock, virtualNow } from '../../../mock-server/store/clock.ts';
import { Db } from '../../../mock-server/store/db.ts';
import type { ClockRow } from '../../../mock-server/store/tables.ts';

const REAL = 1_000_000;

interface ClockCase {
  readonly why: string;
  readonly row?: Omit<ClockRow, 'id'>;
  readonly now: number;
  /** The real delay until virtual time 1,000,500, or null if it never comes. */
  readonly delay: number | null;
}

const CASES: readonly ClockCase[] = [
  { why: 'the clock has never been changed', now: REAL, delay: 500 },
  {
    why: 'the clock runs ahead',
    row: { frozenAtMs: null, offsetMs: 200 },
    now: REAL + 200,
    delay: 300,
  },
  {
    why: 'the clock runs behind',
    row: { frozenAtMs: null, offsetMs: -200 },
    now: REAL - 200,
    delay: 700,
  },
  {
    why: 'the due time has passed',
    row: { frozenAtMs: null, offsetMs: 900 },
    now: REAL + 900,
    delay: 0,
  },
  {
    why: 'the clock is frozen before the due time',
    row: { frozenAtMs: 5, offsetMs: 0 },
    now: 5,
    delay: null,
  },
  {
    why: 'the clock is frozen after the due time',
    row: { frozenAtMs: REAL + 500, offsetMs: 0 },
    now: REAL + 500,
    delay: 0,
  },
  {
    why: 'a clock move is in progress',
    row: { frozenAtMs: REAL + 100, offsetMs: 0, heldUntilMs: REAL + 30 },
    now: REAL + 100,
    delay: 430,
  },
  {
    why: 'the process that was moving the clock has stopped responding',
    row: { frozenAtMs: REAL + 100, offsetMs: 0, heldUntilMs: REAL - 50 },
    now: REAL + 150,
    delay: 350,
  },
];

describe('virtual time', () => {
  it.each(CASES)('is computed correctly when $why', ({ row, now, delay }) => {
    const db = new Db();
    if (row) db.put('clock', { id: 'clock', ...row });
    expect(virtualNow(db, REAL)).toBe(now);
    expect(realDelayMs(db, REAL + 500, REAL)).toBe(delay);
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
