import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RETRY_AFTER_MAX_MS } from '../../../mock-server/rules/webhook-limits.ts';
import { parseRetryAfter, toAttemptOutcome } from '../../../mock-server/send/engine.ts';
import type { WebhookResult } from '../../../mock-server/send/sender.ts';

const facts = { durationMs: 7, bodySha256: 'ab', signature: null, nowMs: Date.UTC(2026, 0, 1) };
const at = { address: '192.0.2.1', hops: 1 };
const answered = (status: number, retryAfter: string | null = null): WebhookResult => ({
  kind: 'response',
  status,
  retryAfter,
  ...at,
});
const classOf = (result: WebhookResult) => toAttemptOutcome(result, facts).class;

describe('toAttemptOutcome()', () => {
  it.each<[number[], 'ok' | 'reject' | 'fail', string]>([
    [[200, 201, 202, 204, 299], 'ok', 'any 2xx'],
    [
      [400, 401, 403, 404, 405, 410, 413, 415, 422, 451],
      'reject',
      'the receiver rejects the request itself',
    ],
    [[408, 425, 429], 'fail', 'a 4xx that allows a retry'],
    [[500, 502, 503, 504, 599], 'fail', 'a server error may be temporary'],
    [[300, 303, 304, 305], 'fail', 'a redirect that is not followed'],
    [[101, 0, 600], 'fail', 'not a valid response'],
  ])('maps %j to %s: %s', (statuses, expected) => {
    expect(statuses.map((status) => classOf(answered(status)))).toEqual(
      statuses.map(() => expected),
    );
  });

  it.each<[WebhookResult, 'reject' | 'fail', string]>([
    [{ kind: 'failure', error: 'timeout', ...at }, 'fail', 'the receiver did not respond in time'],
    [{ kind: 'failure', error: 'dns', ...at }, 'fail', 'a DNS failure may be temporary'],
    [{ kind: 'failure', error: 'tls', ...at }, 'fail', 'a certificate may be renewed'],
    [{ kind: 'failure', error: 'too_many_redirects', ...at }, 'fail', 'the receiver can fix it'],
    [
      { kind: 'refused', error: 'destination_not_public', ...at },
      'reject',
      'the destination is not allowed',
    ],
    [{ kind: 'refused', error: 'not_https', ...at }, 'reject', 'plain http is not allowed'],
  ])('maps %j to %s: %s', (result, expected) => {
    const outcome = toAttemptOutcome(result, facts);
    expect(outcome).toMatchObject({
      class: expected,
      httpStatus: null,
      retryAfterMs: null,
      hops: at.hops,
    });
  });

  it('reads Retry-After only from 429 and 503', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), (status) => {
        const { retryAfterMs } = toAttemptOutcome(answered(status, '60'), facts);
        expect(retryAfterMs).toBe(status === 429 || status === 503 ? 60_000 : null);
      }),
    );
  });
});

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
