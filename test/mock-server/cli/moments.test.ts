import { describe, expect, it } from 'vitest';
import { readInstant } from '../../../mock-server/cli/moments.ts';

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
    ['2026-13-01', 'no such month'],
    ['2026-02-30', 'no such day'],
    ['2026-02-29T12:00:00Z', 'not a leap year'],
    ['2026-01-31T24:00:00Z', 'no such hour'],
    ['2026-1-1', 'not ISO 8601'],
    ['tomorrow', 'a word'],
    ['1767225600000', 'a number of milliseconds'],
    ['', 'an empty string'],
  ])('rejects %j: %s', (text) => {
    expect(() => readInstant(text)).toThrow(`Invalid instant "${text}": use a date, or `);
  });
});
