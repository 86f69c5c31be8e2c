import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../../mock-server/send/retry-after.ts';
import { RETRY_AFTER_MAX_MS } from '../../../mock-server/rules/webhook-limits.ts';

const NOW = Date.UTC(2026, 0, 1);

describe('parseRetryAfter()', () => {
  it.each<[string | null, number | null, string]>([
    ['120', 120_000, 'whole seconds'],
    [' 120 ', 120_000, 'seconds with surrounding spaces'],
    ['0', 0, 'zero seconds'],
    ['3600', 3_600_000, 'one hour, which is the limit'],
    ['3601', 3_600_000, 'more than one hour'],
    ['99999999999999999999', 3_600_000, 'more than a safe integer'],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000, 'an HTTP date'],
    ['Thursday, 01-Jan-26 00:02:00 GMT', 120_000, 'the RFC 850 format'],
    ['Thu Jan  1 00:02:00 2026', 120_000, 'the asctime() format, in UTC'],
    ['Mon Jan 12 00:00:00 2026', 3_600_000, 'the asctime() format with a two-digit day'],
    ['Thu Jan 1 00:02:00 2026', null, 'the asctime() format without padding'],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0, 'a date that has passed'],
    ['Thu, 01 Jan 2027 00:00:00 GMT', 3_600_000, 'a date more than an hour away'],
    ['-5', null, 'a negative number'],
    ['1.5', null, 'a fraction'],
    ['2026-01-01T00:02:00Z', null, 'a date in an unsupported format'],
    ['soon', null, 'a word'],
    ['', null, 'an empty header'],
    [null, null, 'no header'],
  ])('for %j returns, in milliseconds, %j: %s', (value, expected) => {
    expect(parseRetryAfter(value, NOW)).toBe(expected);
  });

  it('returns null or a delay from zero to one hour (property)', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const ms = parseRetryAfter(value, NOW) ?? 0;
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(RETRY_AFTER_MAX_MS);
      }),
    );
  });
});
