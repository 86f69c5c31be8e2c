import { afterEach, describe, expect, it, vi } from 'vitest';
import { realDelayMs, systemClock, virtualNow } from '../../../mock-server/core/clock.ts';
import { Db } from '../../../mock-server/core/db.ts';
import type { ClockRow } from '../../../mock-server/core/tables.ts';

const REAL = 1_000_000;

interface ClockCase {
  readonly why: string;
  readonly row?: Omit<ClockRow, 'id'>;
  readonly now: number;
  /** How long until virtual 1,000,500. */
  readonly delay: number | null;
}

const CASES: readonly ClockCase[] = [
  { why: 'nobody has touched the clock', now: REAL, delay: 500 },
  { why: 'it runs ahead', row: { frozenAtMs: null, offsetMs: 200 }, now: REAL + 200, delay: 300 },
  { why: 'it runs behind', row: { frozenAtMs: null, offsetMs: -200 }, now: REAL - 200, delay: 700 },
  {
    why: 'the instant has passed',
    row: { frozenAtMs: null, offsetMs: 900 },
    now: REAL + 900,
    delay: 0,
  },
  {
    why: 'it stands still before the instant',
    row: { frozenAtMs: 5, offsetMs: 0 },
    now: 5,
    delay: null,
  },
  {
    why: 'it stands still after the instant',
    row: { frozenAtMs: REAL + 500, offsetMs: 0 },
    now: REAL + 500,
    delay: 0,
  },
  {
    why: 'somebody is moving it',
    row: { frozenAtMs: REAL + 100, offsetMs: 0, heldUntilMs: REAL + 30 },
    now: REAL + 100,
    delay: 430,
  },
  {
    why: 'whoever moved it has been silent for too long',
    row: { frozenAtMs: REAL + 100, offsetMs: 0, heldUntilMs: REAL - 50 },
    now: REAL + 150,
    delay: 350,
  },
];

describe('virtual time', () => {
  it.each(CASES)('when $why', ({ row, now, delay }) => {
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

  it('wakes at an instant, unless it is cancelled', () => {
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

  it('wakes early rather than at once for an instant farther off than setTimeout can wait', () => {
    vi.useFakeTimers();
    const wake = vi.fn();
    systemClock.wakeAt(Date.now() + 100 * 86_400_000, wake);
    vi.advanceTimersByTime(2_147_483_646);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('wakes at once for an instant that has passed', () => {
    vi.useFakeTimers();
    const wake = vi.fn();
    systemClock.wakeAt(Date.now() - 5_000, wake);
    vi.advanceTimersByTime(0);
    expect(wake).toHaveBeenCalledTimes(1);
  });
});
