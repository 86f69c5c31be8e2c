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

describe('the path of a session', () => {
  it.each([
    ['while it is pending', {}, 0, 'pending', 10 * MINUTE],
    ['in its last second', {}, 10 * MINUTE - 1, 'pending', 1],
    ['at its deadline, before anybody looked', {}, 10 * MINUTE, 'pending expired', null],
    [
      'with a result that nobody asked for yet',
      verified,
      2 * MINUTE,
      'pending verified',
      8 * MINUTE,
    ],
    [
      'with a result that was handed out',
      { ...verified, validatedAt: at(2 * MINUTE) },
      3 * MINUTE,
      'pending verified validated',
      null,
    ],
    [
      'with a result that nobody asked for in time',
      verified,
      10 * MINUTE,
      'pending verified lapsed',
      null,
    ],
    [
      'handed out stays so',
      { ...verified, validatedAt: at(2 * MINUTE) },
      90 * MINUTE,
      'pending verified validated',
      null,
    ],
    [
      'cancelled and not asked for',
      { status: 'cancelled' as const, settledAt: at(5) },
      10,
      'pending cancelled',
      10 * MINUTE - 10,
    ],
    [
      'expired, which has no result to lapse',
      { status: 'expired' as const, settledAt: at(10 * MINUTE) },
      20 * MINUTE,
      'pending expired',
      null,
    ],
  ])('%s', (_when, fields, nowMs, steps, leftMs) => {
    const path = toSessionPath(aSession(fields), START + nowMs);
    expect(path.steps.map(({ state }) => state).join(' ')).toBe(steps);
    expect(path.current).toBe(path.steps.at(-1)?.state);
    expect(path.leftMs).toBe(leftMs);
    // The picture has a way for each.
    for (const [index, { state }] of path.steps.slice(1).entries()) {
      expect(TRANSITIONS).toContainEqual([path.steps[index]?.state, state]);
    }
  });

  it('is told in words, for whoever does not see the picture', () => {
    const path = toSessionPath(aSession({ ...verified, retries: 1 }), START + 90_500);
    expect(describePath(path)).toBe(
      'The session was pending at 08:00:00, then verified at 08:01:00. In-flow retries: 1. ' +
        "The result has not been asked for; the shop's server can validate it for another 8 min 30 s.",
    );
  });
});
