import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wrap } from '../../../mock-server/cli/printer.ts';
import { toCommandLine } from '../../../mock-server/words/command-line.ts';
import { type MockServer, startMockServer } from '../../../mock-server/hosts/node-server.ts';
import { postJson } from '../../support/api.ts';
import { type, type Said } from './a-terminal.ts';

let server: MockServer;
let env: Record<string, string>;
beforeEach(async () => {
  server = await startMockServer({ port: 0 });
  // Findings depend on the age of a record, so time must not pass.
  await server.clock.freeze();
  // An IP address needs no DNS lookup. session.timeout never occurs while the clock is frozen.
  await server.control.createEndpoint(server.tenantId, {
    url: 'https://8.8.8.8/webhooks',
    events: ['session.timeout'],
  });
  env = { OFAGE_MOCK_URL: new URL(server.apiBase).origin };
});
afterEach(() => server.close());

const doctor = (line = '', options = {}): Promise<Said> =>
  type(['doctor', ...line.split(' ').filter(Boolean)], { env, ...options });

const call = (path: string, body: object, key = server.secretKey) =>
  postJson(`${server.apiBase}${path}`, key, body);

async function verify(externalUserId?: string): Promise<string> {
  const { body } = await call('/sessions/create', {
    returnUrl: 'http://localhost/',
    externalUserId,
  });
  await server.control.settle(body.sessionId, 'verified');
  return body.sessionId;
}

async function buy(externalUserId?: string): Promise<string> {
  const sessionId = await verify(externalUserId);
  await call('/sessions/validate', { sessionId });
  return sessionId;
}

describe('doctor', () => {
  it('explains the first step when nothing has been recorded', async () => {
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^WARNING {2}No traffic yet \(nothing_seen\)$/m);
    expect(stdout.replace(/\s+/g, ' ')).toContain('ofage-mock trigger verified');
    expect(stdout).toContain(`  Read  ${new URL(server.apiBase).origin}/help/nothing_seen\n`);
    expect(stdout).toMatch(
      /^0 problems, 1 warning, 9 not tried in 0 requests, 0 sessions, 0 webhooks$/m,
    );
  });

  it('lists problems first, with a reason and a fix, and exits with 1', async () => {
    const id = await buy();
    await call('/sessions/validate', { sessionId: id }, server.publishableKey);
    const { code, stdout, stderr } = await doctor();
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const [found = ''] = stdout.split('NOT TRIED YET');
    const heads = found.split('\n').filter((line) => /^[A-Z]{2}/.test(line));
    expect(heads).toEqual([
      'PROBLEM  Validate was called with a publishable key (publishable_key_to_validate)',
      'WARNING  Sessions are not tied to a user (user_missing)',
    ]);
    for (const label of ['Seen', 'Proof', 'Why', 'Do'])
      expect(found.match(new RegExp(`^ {2}${label} +\\S`, 'gm'))).toHaveLength(2);
    // A command is one line, so that it can be copied.
    const isWrapped = (line: string): boolean => /^ {2}(?!Run )/.test(line);
    for (const line of stdout.split('\n').filter(isWrapped))
      expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it('lists what has not been tried, with the command and the address that try it, and exits with 0', async () => {
    await call('/sessions/create', {
      returnUrl: 'http://localhost/return',
      externalUserId: 'anna',
    });
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    const { untried } = await server.control.doctor();
    expect(untried.map((one) => one.code)).not.toContain('page_unused');
    const runs = untried.map(
      ({ command }) => command && toCommandLine(command, env['OFAGE_MOCK_URL']!),
    );
    expect(runs).toContain(
      `npx ofage-mock settle SESSION cancelled --url ${env['OFAGE_MOCK_URL']}`,
    );
    for (const run of runs) if (run !== null) expect(stdout).toContain(`  Run   ${run}\n`);
    for (const { title, url } of untried) {
      expect(stdout).toContain(`  ${title} (`);
      if (url !== null) expect(stdout).toContain(`Open  ${url}\n`);
    }
    expect(untried.filter(({ url }) => url !== null)).toHaveLength(1);
  });

  it('is green only if everything has been tried', async () => {
    await buy('anna');
    const { stdout } = await doctor('', { isTTY: true });
    expect(stdout).toContain('OK');
    expect(stdout).not.toContain('\u001b[32m');
  });

  it('names the newest evidence of a finding in the words of the report', async () => {
    for (let n = 0; n < 5; n += 1) await verify(`customer-${n}`);
    await server.clock.advance(60_000);
    const { stdout } = await doctor();
    const { findings } = await server.control.doctor();
    const { evidence } = findings.find(({ code }) => code === 'result_never_asked')!;
    const words = evidence.map(({ text }) => text).toReversed();
    expect(words).toHaveLength(5);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      ` Proof ${words.slice(0, 3).join(', ')} and 2 more Why `,
    );
  });

  it('prints the report as one line of JSON, with the same exit codes', async () => {
    const id = await buy('anna');
    expect(await doctor('--json')).toMatchObject({ code: 0, stderr: '' });
    await server.control.addObservation({ kind: 'url_status_trusted', sessionId: id });
    const { code, stdout } = await doctor('--json');
    expect(code).toBe(1);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(JSON.parse(stdout)).toEqual(await server.control.doctor());
  });

  it('accepts a duration before the present of the mock, and a date', async () => {
    const bad = await verify();
    await server.control.addObservation({ kind: 'access_granted', sessionId: bad });
    await server.clock.advance(10 * 60_000);
    expect(await doctor('--since 9m')).toMatchObject({ code: 0 });
    expect(await doctor('--since 11m')).toMatchObject({ code: 1 });
    expect(await doctor('--since 2020-01-31')).toMatchObject({ code: 1 });
  });

  it('says when each finding was last seen, and prints earlier ones apart without counting them', async () => {
    await call('/sessions/create', {}, 'sk_test_wrong');
    await server.clock.advance(4 * 60_000);
    expect((await doctor()).stdout.replace(/\s+/g, ' ')).toContain('Last seen 4 min ago.');
    await buy('anna');
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^OK {2}No mistakes found[^]*^EARLIER {2}A key is rejected \(key_refused\)$/m,
    );
    expect(stdout).toMatch(/^0 problems, 0 warnings, 1 earlier, \d not tried in 3 requests/m);
  });

  it.each([
    ['--since 5x', 2, 'Invalid duration "5x": use a number with a unit'],
    ['--since noon', 2, 'Invalid instant "noon": use a date, or a date and time with its zone'],
    ['--session nobody', 1, 'Cannot examine the integration: Session not found'],
    ['--tenant nobody', 1, 'Cannot examine the integration: unknown account "nobody"'],
    ['now', 2, 'doctor takes no arguments; unexpected argument "now"'],
  ])('%s exits with %i and an error', async (line, code, message) => {
    const output = await doctor(line);
    expect(output).toMatchObject({ code, stdout: '' });
    expect(output.stderr).toContain(message);
  });

  it('escapes control characters in request data', async () => {
    await verify('b\u001b[31mc');
    await server.clock.advance(60_000);
    await call('/sessions/validate', { sessionId: 'a\u001b[31mb' });
    const { stdout } = await doctor();
    expect(stdout).toContain('"a\\u001b[31mb"');
    expect(stdout).toContain('of b\\u001b[31mc');
    expect(stdout).not.toContain('\u001b');
  });
});

it.each([
  ['', 10, ['']],
  ['one', 3, ['one']],
  ['one two', 7, ['one two']],
  ['one two', 6, ['one', 'two']],
  ['a-word-that-is-long b', 5, ['a-word-that-is-long', 'b']],
])('wrap() for %j and %i columns returns %j', (text, columns, lines) => {
  expect(wrap(text, columns)).toEqual(lines);
});
