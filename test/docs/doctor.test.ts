import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DOCTOR_CODES } from '../../mock-server/doctor/examine.ts';
import { SLOW_ANSWER_MS, VERY_SLOW_ANSWER_MS } from '../../mock-server/doctor/delivery-checks.ts';
import { RETURN_GRACE_MS } from '../../mock-server/doctor/result-checks.ts';
import { startMockServer } from '../../mock-server/hosts/node-server.ts';
import { type } from '../mock-server/cli/a-terminal.ts';
import { postJson } from '../support/api.ts';

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

  it.each(rows)(
    'gives $code a cause and a fix, and says when it is a problem if it can also be a warning',
    (row) => {
      expect(row.cause).toMatch(/^.{15,}[.]$/);
      expect(row.cure).toMatch(/^.{12,}[.]$/);
      expect(/A problem (when|once|while|from) /.test(row.cause)).toBe(
        row.severity.includes(' or '),
      );
    },
  );

  it('contains the limits of the checks', () => {
    expect(causeOf('result_never_asked')).toContain(`${RETURN_GRACE_MS / 1_000} seconds`);
    expect(causeOf('webhook_slow')).toContain(`${SLOW_ANSWER_MS / 1_000} seconds`);
    expect(causeOf('webhook_slow')).toContain(`${VERY_SLOW_ANSWER_MS / 1_000} seconds`);
  });

  it('shows what the command prints about a session that was never validated', async () => {
    const server = await startMockServer({ port: 0 });
    await server.clock.freeze();
    await server.control.createEndpoint(server.tenantId, {
      url: 'https://8.8.8.8/webhooks', // an IP address needs no DNS
      events: ['session.timeout'],
    });
    const { body } = await postJson(`${server.apiBase}/sessions/create`, server.secretKey, {
      returnUrl: 'http://localhost/',
      externalUserId: 'customer-42',
    });
    await server.control.settle(body.sessionId, 'verified');
    await server.clock.advance(660_000);
    const env = { OFAGE_MOCK_URL: new URL(server.apiBase).origin };
    const { code, stdout } = await type(['doctor'], { env });
    await server.close();

    expect(code).toBe(1);
    const printed = stdout
      .replace(body.sessionId, '7ef89153-0486-49f3-bcd8-e07a29333549')
      .replace(/since .* UTC/, 'since 2026-01-01 00:00:00 UTC');
    expect(text).toContain(`\`\`\`text\n${printed}\`\`\``);
  });
});
