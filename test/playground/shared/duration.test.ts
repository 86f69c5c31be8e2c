import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration, toDuration } from '../../../playground/shared/duration.ts';

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
