import { describe, expect, it } from 'vitest';
import {
  toBackoffMs,
  toGrid,
  toInlineWaitMs,
  toTimeoutRetryMs,
} from '../../../mock-server/rules/backoff.ts';

const JANUARY = Date.UTC(2026, 0, 1);

describe('toBackoffMs()', () => {
  it.each<[number, number, string]>([
    [1, 5_000, 'the base delay'],
    [2, 10_000, 'twice the base delay'],
    [3, 20_000, 'four times the base delay'],
    [7, 320_000, 'the last delay below the cap'],
    [8, 600_000, 'the cap'],
    [9, 600_000, 'no more than the cap'],
    [1_000_000, 600_000, 'no overflow'],
    [0, 5_000, 'a test event may fail before any attempt counts'],
  ])('for the failure count %i returns at most %i ms: %s', (failures, mostMs) => {
    const waits = Array.from({ length: 500 }, (_, n) => toBackoffMs(failures, `salt ${n}`));
    expect(Math.max(...waits)).toBeLessThanOrEqual(mostMs);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0.85 * mostMs);
    // The delays spread over the jitter range. Otherwise a thousand endpoints would retry together.
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(0.14 * mostMs);
  });
});

describe('toTimeoutRetryMs()', () => {
  it.each<[number, number, number, number, string]>([
    [0, 1, 0, 5_000, 'five seconds'],
    [1, 1, 0, 10_000, 'rounded up to a multiple of five seconds'],
    [4_999, 1, 0, 10_000, 'never rounded down'],
    [0, 2, 0, 10_000, 'twice the delay'],
    [0, 3, 0, 20_000, 'four times the delay'],
    [0, 1, 12_000, 15_000, 'no sooner than Retry-After'],
    [0, 1, 1_000, 5_000, 'no sooner because of a shorter Retry-After'],
  ])(
    'at %i ms, for the failure count %i and a Retry-After of %i ms, returns %i: %s',
    (at, failures, retryAfterMs, due) => {
      expect(toTimeoutRetryMs(JANUARY + at, failures, retryAfterMs) - JANUARY).toBe(due);
    },
  );
});

it('toGrid() rounds up to a multiple of five seconds', () => {
  expect([0, 1, 5_000, 5_001].map(toGrid)).toEqual([0, 5_000, 5_000, 10_000]);
});

it('toInlineWaitMs() returns one second, then two', () => {
  expect([1, 2].map(toInlineWaitMs)).toEqual([1_000, 2_000]);
});
