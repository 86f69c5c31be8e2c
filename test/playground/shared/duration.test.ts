import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRelative } from '../../../playground/console/relative-time.ts';
import { parseDuration, toDuration, toRoughDuration } from '../../../playground/shared/duration.ts';

describe('a duration', () => {
  it.each([
    ['9m 30s', 570_000],
    ['9min30s', 570_000],
    ['1 h', 3_600_000],
    ['1 day, 2 hours', 93_600_000],
    ['1.5 h', 5_400_000],
    ['90 Seconds', 90_000],
    [' 250 ms ', 250],
    ['0s', 0],
  ])('is parsed from "%s"', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '10', 'm', '9 parsecs', '-1 s', '1 s?', '0.0001 s', '999999 days', '1m and 2s'])(
    'is rejected with a message if its text is "%s"',
    (text) => {
      expect(() => parseDuration(text)).toThrow(
        `Enter a duration such as 90s, 9m 30s or 1h, not "${text}"`,
      );
    },
  );

  it('is parsed from every number with one decimal', () => {
    const numbers = Array.from(
      { length: 240 },
      (_, n) => [`${Math.floor(n / 10)}.${n % 10}`, n] as const,
    );
    for (const [text, tenths] of numbers) {
      expect(parseDuration(`${text} s`)).toBe(tenths * 100);
      expect(parseDuration(`${text} min`)).toBe(tenths * 6_000);
      expect(parseDuration(`${text} h`)).toBe(tenths * 360_000);
      expect(parseDuration(`${text} d`)).toBe(tenths * 8_640_000);
    }
  });

  it('is formatted exactly and can be parsed again (property)', () => {
    expect(toDuration(570_000)).toBe('9 min 30 s');
    expect(toDuration(0)).toBe('0 s');
    fc.assert(
      fc.property(fc.nat(3_000_000_000), (ms) => {
        expect(parseDuration(toDuration(ms))).toBe(ms);
      }),
    );
  });
});

it.each([
  [999, '999 ms'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_661_000, '1 h 1 min'],
  [90_000_000, '1 d 1 h'],
  [-5, '0 ms'],
])('a duration of %i ms is roughly %s', (ms, text) => expect(toRoughDuration(ms)).toBe(text));

it.each([
  ['2026-11-21T08:00:00.999Z', 'now'],
  ['2026-11-21T07:59:01.000Z', '59 s ago'],
  ['2026-11-21T08:10:00.000Z', 'in 10 min'],
])('at 08:00, the time %s is "%s"', (at, text) => {
  expect(toRelative(at, Date.parse('2026-11-21T08:00:00.000Z'))).toBe(text);
});
