import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DOCTOR_CODES } from '../../mock-server/doctor/examine.ts';
import { SLOW_ANSWER_MS, VERY_SLOW_ANSWER_MS } from '../../mock-server/doctor/delivery-checks.ts';
import { RETURN_GRACE_MS } from '../../mock-server/doctor/result-checks.ts';

const PAGE = new URL('../../docs/guides/doctor.md', import.meta.url);
const text = readFileSync(PAGE, 'utf8');
const ROW =
  /^\| `([a-z_]+)` +\| (problem|warning|problem or warning|ok) +\| (.+?) +\| (.+?) +\|$/gm;
const rows = [...text.matchAll(ROW)].map(([, code = '', severity = '', cause = '', cure = '']) => ({
  code,
  severity,
  cause,
  cure,
}));
const causeOf = (code: string) => rows.find((row) => row.code === code)?.cause;

describe('docs/guides/doctor.md', () => {
  it('lists every finding once, in the order of the checks', () => {
    expect(rows.map(({ code }) => code)).toEqual(DOCTOR_CODES);
  });

  it.each(rows)('$code has a cause and a fix, and explains when it is a problem', (row) => {
    expect(row.cause).toMatch(/^.{15,}[.]$/);
    expect(row.cure).toMatch(/^.{12,}[.]$/);
    expect(/A problem (when|once|while|from) /.test(row.cause)).toBe(row.severity.includes(' or '));
  });

  it('contains the limits of the checks', () => {
    expect(causeOf('result_never_asked')).toContain(`${RETURN_GRACE_MS / 1_000} seconds`);
    expect(causeOf('webhook_slow')).toContain(`${SLOW_ANSWER_MS / 1_000} seconds`);
    expect(causeOf('webhook_slow')).toContain(`${VERY_SLOW_ANSWER_MS / 1_000} seconds`);
  });
});
