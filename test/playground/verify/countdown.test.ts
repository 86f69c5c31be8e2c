import { describe, expect, it } from 'vitest';
import {
  updateServiceTime,
  remainingMs,
  toMinutesToSay,
} from '../../../playground/verify/countdown.ts';

const NOW = '2026-11-21T08:00:00.000Z';
const EXPIRES = '2026-11-21T08:10:00.000Z';

describe('remainingMs', () => {
  it("uses the service's clock instead of the shopper's", () => {
    const time = updateServiceTime(null, NOW, 5_000);
    expect(remainingMs(time, EXPIRES, 5_000)).toBe(600_000);
    expect(remainingMs(time, EXPIRES, 15_000)).toBe(590_000);
  });

  it('follows a moved clock', () => {
    const before = updateServiceTime(null, NOW, 0);
    const after = updateServiceTime(before, '2026-11-21T08:09:30.000Z', 2_000);
    expect(remainingMs(after, EXPIRES, 2_000)).toBe(30_000);
  });

  it('does not change while the clock is frozen', () => {
    const time = updateServiceTime(updateServiceTime(null, NOW, 0), NOW, 2_000);
    expect(remainingMs(time, EXPIRES, 90_000)).toBe(600_000);
  });

  it('is never negative', () => {
    expect(remainingMs(updateServiceTime(null, NOW, 0), EXPIRES, 700_000)).toBe(0);
  });
});

describe('toMinutesToSay', () => {
  it.each([
    [300_001, null],
    [300_000, 5],
    [240_001, 5],
    [240_000, 4],
    [120_001, 3],
    [120_000, 2],
    [60_001, 2],
    [60_000, 1],
    [59_999, 0],
    [0, 0],
  ])('for %i ms returns %j', (ms, minutes) => expect(toMinutesToSay(ms)).toBe(minutes));
});
