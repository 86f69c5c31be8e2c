import { describe, expect, it } from 'vitest';
import {
  TRANSITIONS,
  describePath,
  toSessionPath,
} from '../../../playground/inspector/session-path.ts';

const START = Date.UTC(2026, 0, 1, 8);
const MINUTE = 60_000;
const at = (ms: number): string => new Date(START + ms).toISOString();

const aSession = (fields = {}) => ({
  status: 'pending' as const,
  createdAt: at(0),
  expiresAt: at(10 * MINUTE),
  settledAt: null,
  validatedAt: null,
  retries: 0,
  needsRetry: false,
  ...fields,
});
const verified = { status: 'verified' as const, settledAt: at(MINUTE) };

describe('a session in the inspector', () => {
  it.each([
    ['is pending before its deadline', {}, 0, 'pending', 10 * MINUTE],
    ['is pending until its last millisecond', {}, 10 * MINUTE - 1, 'pending', 1],
    [
      'is expired at its deadline, even before the service settles it',
      {},
      10 * MINUTE,
      'pending expired',
      null,
    ],
    ['waits for validation after the result', verified, 2 * MINUTE, 'pending verified', 8 * MINUTE],
    [
      'is validated once its result was fetched',
      { ...verified, validatedAt: at(2 * MINUTE) },
      3 * MINUTE,
      'pending verified validated',
      null,
    ],
    [
      'has lapsed if it was not validated before the deadline',
      verified,
      10 * MINUTE,
      'pending verified lapsed',
      null,
    ],
    [
      'stays validated after the deadline',
      { ...verified, validatedAt: at(2 * MINUTE) },
      90 * MINUTE,
      'pending verified validated',
      null,
    ],
    [
      'waits for validation after a cancellation',
      { status: 'cancelled' as const, settledAt: at(5) },
      10,
      'pending cancelled',
      10 * MINUTE - 10,
    ],
    [
      'does not lapse after it expired without a result',
      { status: 'expired' as const, settledAt: at(10 * MINUTE) },
      20 * MINUTE,
      'pending expired',
      null,
    ],
  ])('%s', (_name, fields, nowMs, steps, leftMs) => {
    const path = toSessionPath(aSession(fields), START + nowMs);
    expect(path.steps.map(({ state }) => state).join(' ')).toBe(steps);
    expect(path.current).toBe(path.steps.at(-1)?.state);
    expect(path.leftMs).toBe(leftMs);
    // The diagram must contain each transition.
    for (const [index, { state }] of path.steps.slice(1).entries()) {
      expect(TRANSITIONS).toContainEqual([path.steps[index]?.state, state]);
    }
  });

  it('is described in words, for screen readers', () => {
    const path = toSessionPath(aSession({ ...verified, retries: 1 }), START + 90_500);
    expect(describePath(path)).toBe(
      'The session was pending at 08:00:00, then verified at 08:01:00. Retries in the same session: 1. ' +
        "The shop's server has not fetched the result. It can call validate for another 8 min 30 s.",
    );
  });
});
