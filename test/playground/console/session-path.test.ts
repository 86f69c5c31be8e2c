import { describe, expect, it } from 'vitest';
import {
  describeNextStates,
  toNextStates,
  toSessionPath,
} from '../../../playground/console/timeline/session-path.ts';

const START = Date.UTC(2026, 0, 1, 8);
const MINUTE = 60_000;
const at = (ms: number): string => new Date(START + ms).toISOString();

const aSession = (fields = {}) => ({
  status: 'pending' as const,
  createdAt: at(0),
  expiresAt: at(10 * MINUTE),
  settledAt: null,
  validatedAt: null,
  ...fields,
});
const verified = { status: 'verified' as const, settledAt: at(MINUTE) };

describe('the state of a session', () => {
  const validated = { ...verified, validatedAt: at(2 * MINUTE) };
  const cancelled = { status: 'cancelled' as const, settledAt: at(5) };
  const expired = { status: 'expired' as const, settledAt: at(10 * MINUTE) };
  it.each([
    ['is pending until its last millisecond', {}, 10 * MINUTE - 1, 'pending', 1],
    [
      'is expired at its deadline, even before it is settled',
      {},
      10 * MINUTE,
      'pending expired',
      null,
    ],
    ['waits for validation after the result', verified, 2 * MINUTE, 'pending verified', 8 * MINUTE],
    [
      'is validated once its result was fetched',
      validated,
      3 * MINUTE,
      'pending verified validated',
      null,
    ],
    [
      'has lapsed if its result was not fetched in time',
      verified,
      10 * MINUTE,
      'pending verified lapsed',
      null,
    ],
    [
      'stays validated after the deadline',
      validated,
      90 * MINUTE,
      'pending verified validated',
      null,
    ],
    [
      'waits for validation after a cancellation',
      cancelled,
      MINUTE,
      'pending cancelled',
      9 * MINUTE,
    ],
    ['does not lapse after it expired', expired, 20 * MINUTE, 'pending expired', null],
  ])('%s', (_name, fields, nowMs, steps, leftMs) => {
    const path = toSessionPath(aSession(fields), START + nowMs);
    expect(path.steps.map(({ state }) => state).join(' ')).toBe(steps);
    expect(path.current).toBe(path.steps.at(-1)?.state);
    expect(path.leftMs).toBe(leftMs);
    // Each state on the way was one of those that the page named before.
    for (const [index, { state }] of path.steps.slice(1).entries()) {
      expect(toNextStates(path.steps[index]!.state)).toContain(state);
    }
  });
});

it.each([
  ['verified', 'validated, lapsed (not fetched in time)'],
  ['expired', ''],
] as const)('the states after %s are named in words', (state, words) => {
  expect(describeNextStates(state)).toBe(words);
});
