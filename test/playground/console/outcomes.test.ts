import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countReasons,
  medianDurationMs,
  STATUSES,
  summarise,
} from '../../../playground/console/outcomes.ts';
import {
  filterByPreviousSpan,
  filterBySpan,
  toBucketName,
  toBuckets,
  toScale,
} from '../../../playground/console/outcome-chart.ts';

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

const NOW_MS = Date.parse('2026-11-21T08:30:00.000Z');
const at = (createdAt: string, status: (typeof STATUSES)[number] = 'verified') => ({
  createdAt,
  status,
});

const aSession = fc.record({
  createdAt: fc
    .integer({ min: -9 * 86_400_000, max: 0 })
    .map((ms) => new Date(NOW_MS + ms).toISOString()),
  status: fc.constantFrom(...STATUSES),
});

describe('toBuckets', () => {
  it('ends with the current hour', () => {
    const buckets = toBuckets([at('2026-11-21T08:00:00.000Z')], 'hours', NOW_MS);
    expect(buckets).toHaveLength(24);
    expect(buckets.at(-1)).toMatchObject({
      startMs: Date.parse('2026-11-21T08:00:00.000Z'),
      total: 1,
      counts: { verified: 1 },
    });
  });

  it('counts the last millisecond of an hour in that hour and the one after it in the next', () => {
    const sessions = [at('2026-11-21T07:59:59.999Z'), at('2026-11-21T08:00:00.000Z', 'failed')];
    const [before, last] = toBuckets(sessions, 'hours', NOW_MS).slice(-2);
    expect(before?.counts).toMatchObject({ verified: 1, failed: 0 });
    expect(last?.counts).toMatchObject({ verified: 0, failed: 1 });
  });

  it('counts by UTC day', () => {
    const days = toBuckets([at('2026-11-15T00:00:00.000Z')], 'days', NOW_MS);
    expect(days).toHaveLength(7);
    expect(days[0]?.total).toBe(1);
    expect(toBuckets([at('2026-11-14T23:59:59.999Z')], 'days', NOW_MS)[0]?.total).toBe(0);
  });

  it('counts a session that starts after the given time in the last bucket', () => {
    expect(toBuckets([at('2026-11-21T09:00:00.100Z')], 'hours', NOW_MS).at(-1)?.total).toBe(1);
  });

  it('counts as many sessions as filterBySpan() returns (property)', () => {
    fc.assert(
      fc.property(
        fc.array(aSession),
        fc.constantFrom('hours' as const, 'days' as const),
        (sessions, span) => {
          const total = toBuckets(sessions, span, NOW_MS).reduce((sum, one) => sum + one.total, 0);
          expect(total).toBe(filterBySpan(sessions, span, NOW_MS).length);
        },
      ),
    );
  });
});

describe('toScale', () => {
  it('covers the maximum with two to six lines at whole numbers (property)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (most) => {
        const values = toScale(most);
        const [first, step = 0] = values;
        expect(first).toBe(0);
        expect(Number.isInteger(step)).toBe(true);
        expect(values.length).toBeLessThanOrEqual(6);
        for (const [index, value] of values.entries()) expect(value).toBe(index * step);
        const top = values.at(-1)!;
        expect(top).toBeGreaterThanOrEqual(Math.max(1, most));
        // The top line is less than one step above the maximum.
        expect(top - step).toBeLessThan(Math.max(1, most));
      }),
    );
  });
});

describe('filterByPreviousSpan', () => {
  it('returns the sessions of the previous span up to the same time of day', () => {
    const sessions = ['2026-11-19T08:59:59.999Z', '2026-11-19T09:00:00.000Z'].map((time) =>
      at(time),
    );
    const last = at('2026-11-20T08:30:00.000Z');
    const later = at('2026-11-20T08:30:00.001Z');
    const found = filterByPreviousSpan([...sessions, last, later], 'hours', NOW_MS);
    expect(found).toEqual([sessions[1], last]);
  });
});

it('toBucketName() names hours and days in UTC', () => {
  expect(toBucketName(Date.parse('2026-11-21T08:00:00.000Z'), 'hours')).toBe('08:00');
  expect(toBucketName(Date.parse('2026-11-21T00:00:00.000Z'), 'days')).toMatch(/^Sat,? 21 Nov$/);
});
