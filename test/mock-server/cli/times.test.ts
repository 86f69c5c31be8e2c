import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration, toDuration } from '../../../mock-server/cli/duration.ts';
import { readInstant } from '../../../mock-server/cli/moments.ts';

describe('parseDuration()', () => {
  it.each<[string, number]>([
    ['0s', 0],
    ['500ms', 500],
    ['90s', 90_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['1h30m', 5_400_000],
    ['1m500ms', 60_500],
  ])('reads %s as %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    ['', 'an empty string'],
    ['10', 'no unit'],
    ['-10m', 'a negative number'],
    ['1.5h', 'a fraction'],
    ['10 m', 'a space'],
    ['10min', 'an unknown unit'],
    ['1e3s', 'an exponent'],
    ['99999999999999d', 'more than the largest safe integer'],
  ])('rejects %j: %s', (text) => {
    expect(() => parseDuration(text)).toThrow(`Invalid duration "${text}": use a number`);
  });

  it('is the inverse of toDuration() (property)', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (ms) => {
        expect(parseDuration(toDuration(ms))).toBe(ms);
      }),
    );
  });
});

describe('toDuration()', () => {
  it.each([
    [0, '0s'],
    [598_000, '9m58s'],
    [90_061_001, '1d1h1m1s1ms'],
  ])('writes %i ms as %s', (ms, text) => {
    expect(toDuration(ms)).toBe(text);
  });
});

describe('readInstant()', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z', 'a date is midnight UTC'],
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z', 'without seconds'],
    ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z', 'with a fraction of a second'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z', 'a leap day'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z', 'with a different time zone'],
  ])('reads %s as %s: %s', (text, iso) => {
    expect(readInstant(text)).toBe(iso);
  });

  it.each([
    ['2026-01-31T12:00:00', 'no time zone, so it would depend on the machine'],
    ['2026-02-30', 'no such day'],
    ['2026-1-1', 'not ISO 8601'],
    ['1767225600000', 'a number of milliseconds'],
    ['', 'an empty string'],
  ])('rejects %j: %s', (text) => {
    expect(() => readInstant(text)).toThrow(`Invalid instant "${text}": use a date, or `);
  });
});
