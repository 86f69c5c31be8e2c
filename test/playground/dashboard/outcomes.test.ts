import { expect, it } from 'vitest';
import { summarise, toPercent } from '../../../playground/dashboard/outcomes.ts';

const of = (...statuses: ('pending' | 'verified' | 'failed' | 'cancelled' | 'expired')[]) =>
  summarise(statuses.map((status) => ({ status })));

it('counts each status', () => {
  expect(of('verified', 'verified', 'failed', 'pending')).toMatchObject({
    total: 4,
    counts: { verified: 2, failed: 1, cancelled: 0, expired: 0, pending: 1 },
  });
});

it('counts a pending session neither as completed nor as abandoned', () => {
  expect(of('verified', 'failed', 'cancelled', 'expired', 'pending')).toMatchObject({
    completionRate: 0.5,
    passRate: 0.5,
  });
});

it('has no rates while all sessions are pending, and no pass rate without a result', () => {
  expect(of('pending')).toMatchObject({ completionRate: null, passRate: null });
  expect(of('cancelled')).toMatchObject({ completionRate: 0, passRate: null });
});

it.each([
  [null, '–'],
  [0, '0 %'],
  [2 / 3, '67 %'],
  [1, '100 %'],
])('formats %s as %s', (rate, text) => expect(toPercent(rate)).toBe(text));
