import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../mock-server/cli/moments.ts';

describe('parseInstant()', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z', 'a date is UTC'],
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z', 'to the minute'],
    ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z', 'a fraction'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z', 'another zone'],
  ])('reads %s as %s: %s', (text, iso) => {
    expect(parseInstant(text)).toBe(iso);
  });

  it.each([
    ['2026-01-31T12:00:00', 'no zone: another instant on another machine'],
    ['2026-13-01', 'no such month'],
    ['2026-1-1', 'not ISO 8601'],
    ['tomorrow', 'a word'],
    ['1767225600000', 'milliseconds'],
    ['', 'nothing'],
  ])('refuses %j: %s', (text) => {
    expect(() => parseInstant(text)).toThrow(`2026-01-31T12:00:00Z, got "${text}"`);
  });
});
