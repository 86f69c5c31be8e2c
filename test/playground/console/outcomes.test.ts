import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeChange, toPercent } from '../../../playground/console/outcomes.ts';
import {
  chooseSpan,
  SPANS,
  toScale,
  toSpanStartMs,
  toStepName,
} from '../../../playground/console/outcome-chart.ts';

const NOW_MS = Date.parse('2026-11-21T08:30:00.000Z');

it('the span at first is the shortest one that has the oldest session', () => {
  expect(chooseSpan('2026-11-21T08:29:00.000Z', NOW_MS)).toBe('hour');
  expect(chooseSpan('2026-11-21T07:29:00.000Z', NOW_MS)).toBe('hours');
  expect(chooseSpan('2026-11-19T00:00:00.000Z', NOW_MS)).toBe('days');
  expect(chooseSpan('2020-01-01T00:00:00.000Z', NOW_MS)).toBe('days');
});

it.each(['hour', 'hours', 'days'] as const)(
  'the last step of the span %s contains the present',
  (span) => {
    const { stepMs, count } = SPANS[span];
    const endMs = toSpanStartMs(span, NOW_MS) + count * stepMs;
    expect(endMs).toBeGreaterThan(NOW_MS);
    expect(endMs - stepMs).toBeLessThanOrEqual(NOW_MS);
  },
);

it('rates and changes say nothing when there is nothing to compare with', () => {
  expect(toPercent(null)).toBe('none');
  expect(toPercent(2 / 3)).toBe('67%');
  expect(describeChange(3, null, 'the hour before')).toBe('');
  expect(describeChange(3, 0, 'the hour before')).toBe('');
  expect(describeChange(3, 4, 'the hour before')).toBe('25% fewer than the hour before');
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

it('toStepName() names hours and days in UTC', () => {
  expect(toStepName(Date.parse('2026-11-21T08:00:00.000Z'), 'hours')).toBe('08:00');
  expect(toStepName(Date.parse('2026-11-21T00:00:00.000Z'), 'days')).toMatch(/^Sat,? 21 Nov$/);
});
