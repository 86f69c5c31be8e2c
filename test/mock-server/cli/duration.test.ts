import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration, toDuration } from '../../../mock-server/cli/duration.ts';

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
    ['m', 'no number'],
    ['-10m', 'a negative number'],
    ['1.5h', 'a fraction'],
    ['10 m', 'a space'],
    ['10m ', 'a trailing space'],
    ['10min', 'an unknown unit'],
    ['10M', 'a unit in upper case'],
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
