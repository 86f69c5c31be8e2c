import { expect, it } from 'vitest';
import {
  countReasons,
  medianDurationMs,
  summarise,
} from '../../../playground/dashboard/outcomes.ts';

const of = (...statuses: ('pending' | 'verified' | 'failed' | 'cancelled' | 'expired')[]) =>
  summarise(statuses.map((status) => ({ status })));

it('summarise() counts a pending session neither as completed nor as abandoned', () => {
  expect(of('verified', 'failed', 'cancelled', 'expired', 'pending')).toMatchObject({
    completionRate: 0.5,
    passRate: 0.5,
  });
});

it('summarise() returns no rates while all sessions are pending, and no pass rate without a result', () => {
  expect(of('pending')).toMatchObject({ completionRate: null, passRate: null });
  expect(of('cancelled')).toMatchObject({ completionRate: 0, passRate: null });
});

it('countReasons() counts the failed sessions by reason, the most frequent one first', () => {
  const sessions = [
    { status: 'failed', reason: 'image_quality' },
    { status: 'failed', reason: 'age_not_met' },
    { status: 'cancelled', reason: 'cancelled' },
    { status: 'failed', reason: 'age_not_met' },
    { status: 'verified', reason: null },
  ] as const;
  expect(countReasons(sessions)).toEqual([
    ['age_not_met', 2],
    ['image_quality', 1],
  ]);
});

it('medianDurationMs() calculates the median duration of the sessions with a result', () => {
  const ended = (seconds: number, status: 'verified' | 'cancelled' = 'verified') => ({
    status,
    createdAt: '2026-11-21T08:00:00.000Z',
    settledAt: new Date(Date.parse('2026-11-21T08:00:00.000Z') + seconds * 1_000).toISOString(),
  });
  expect(medianDurationMs([])).toBeNull();
  expect(medianDurationMs([ended(500, 'cancelled')])).toBeNull();
  expect(medianDurationMs([ended(90), ended(10), ended(20), ended(500, 'cancelled')])).toBe(20_000);
  expect(medianDurationMs([ended(40), ended(10), ended(20), ended(90)])).toBe(30_000);
});
