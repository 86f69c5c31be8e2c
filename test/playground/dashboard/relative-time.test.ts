import { describe, expect, it } from 'vitest';
import { toRelative } from '../../../playground/dashboard/relative-time.ts';
import { toRoughDuration } from '../../../playground/shared/duration.ts';

describe('toRoughDuration', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [3_661_000, '1 h 1 min'],
    [90_000_000, '1 d 1 h'],
    [-5, '0 ms'],
  ])('formats %i ms as %s', (ms, text) => expect(toRoughDuration(ms)).toBe(text));
});

describe('toRelative', () => {
  const NOW_MS = Date.parse('2026-11-21T08:00:00.000Z');
  it.each([
    ['2026-11-21T08:00:00.999Z', 'now'],
    ['2026-11-21T07:59:01.000Z', '59 s ago'],
    ['2026-11-21T07:58:01.000Z', '1 min ago'],
    ['2026-11-21T08:10:00.000Z', 'in 10 min'],
    ['2026-11-20T06:00:00.000Z', '1 d 2 h ago'],
  ])('formats %s as %s', (at, text) => expect(toRelative(at, NOW_MS)).toBe(text));
});
