import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../mock-server/cli/commands.ts';
import { START_OPTIONS } from '../../../mock-server/cli/start-options.ts';
import { type MockServer, startMockServer } from '../../../mock-server/hosts/node-server.ts';
import { createSession } from '../../support/api.ts';
import { aFolder } from '../../support/folder.ts';
import { listen } from '../../support/listen.ts';
import { type Said, type } from './a-terminal.ts';

// No text from outside may move the cursor, forge a line, or colour or rename the terminal: whatever a
// command prints, on both streams, with and without colours, as text and as JSON.

/** Magenta, which no command uses, a title, a cleared screen in 7 and 8 bits, lines, and a right-to-left text. */
const HOSTILE =
  '\u001b[35m\u001b]0;x\u0007\u001b[2J\u009b2J\r\nofage-mock: forged\u007f\u2028\u202e';

// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const USED_STYLES = /\u001b\[(?:1|2|22|31|32|33|36|39)m/g;

function expectClean({ stdout, stderr }: Said, { isTTY }: { isTTY: boolean }): void {
  for (const text of [stdout, stderr]) {
    const plain = isTTY ? text.replace(USED_STYLES, '') : text;
    expect(plain.replaceAll('\n', '')).not.toMatch(
      /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u,
    );
    expect(text).not.toMatch(/^ofage-mock: forged/m);
  }
}

let mock: MockServer;
/** A mock that says HOSTILE at the end of every text, except times. */
let liar: string;
beforeEach(async () => {
  mock = await startMockServer({
    port: 0,
    allowLoopbackWebhooks: true,
    forwardTo: 'http://localhost:9/hooks',
  });
  const server = createServer((request, response) => {
    void (async () => {
      const chunks = await request.toArray();
      const origin = new URL(mock.apiBase).origin;
      const answer = await fetch(origin + request.url, {
        method: request.method!,
        headers: { 'content-type': 'application/json' },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const body = answer.status === 204 ? '' : JSON.stringify(await answer.json(), lie);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
    })();
  });
  liar = `http://127.0.0.1:${await listen(server)}`;
});
afterEach(() => mock.close());

function lie(_key: string, value: unknown): unknown {
  return typeof value === 'string' && Number.isNaN(Date.parse(value)) ? value + HOSTILE : value;
}

/** A line of every command that gets a result. */
async function linesOf(endpointId: string, sessionId: string): Promise<string[][]> {
  const file = join(aFolder(), `state${HOSTILE}`);
  return [
    ['trigger', 'verified', '--user', HOSTILE],
    ['settle', sessionId, 'verified'],
    ['clock'],
    ['sessions'],
    ['events'],
    ['deliveries'],
    ['changes'],
    ['endpoints'],
    ['test', endpointId],
    ['resume', endpointId],
    ['redeliver', endpointId],
    ['rotate-secret', endpointId],
    ['scenarios'],
    ['explain', 'key_missing'],
    ['snapshot', file],
    ['doctor'],
    [
      'conform',
      '--only',
      'session.id',
      '--api',
      `${mock.apiBase}`,
      '--name',
      HOSTILE,
      '--driver',
      'control',
    ],
  ];
}

async function aState(): Promise<{ endpointId: string; sessionId: string }> {
  const { body } = await createSession(mock, { externalUserId: HOSTILE, merchantName: HOSTILE });
  await createSession(mock, { returnUrl: `https://elsewhere.example/?${HOSTILE}` });
  await fetch(`${mock.apiBase}/sessions/validate`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_wrong', 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId: HOSTILE }),
  });
  await mock.control.createKeyPair(mock.tenantId);
  const [endpoint] = await mock.control.endpoints(mock.tenantId);
  return { endpointId: endpoint!.id, sessionId: body.sessionId };
}

describe.each([
  ['text on a terminal', [], true],
  ['text in a pipe', [], false],
  ['JSON', ['--json'], true],
] as const)('%s has no control characters', (_name, options, isTTY) => {
  it('of what the mock has stored or answers, from any command', async () => {
    const { endpointId, sessionId } = await aState();
    const lines = await linesOf(endpointId, sessionId);
    expect(new Set(lines.map(([name]) => name))).toEqual(new Set(COMMANDS.map(({ name }) => name)));
    for (const url of [new URL(mock.apiBase).origin, liar]) {
      for (const line of lines) {
        const said = await type([...line, ...options, '--url', url], { isTTY });
        expectClean(said, { isTTY });
        expect(said.stdout + said.stderr).not.toBe('');
      }
    }
  });

  it('of what is given to any command, as an argument or as the value of an option', async () => {
    const folder = aFolder();
    const arguments_ = COMMANDS.map(({ name }) => [
      name,
      name === 'snapshot' ? join(folder, HOSTILE) : HOSTILE,
    ]);
    const values = COMMANDS.flatMap(({ name, options: own = {} }) =>
      Object.entries(own)
        .filter(([, { type: kind }]) => kind === 'string')
        .map(([option]) => [name, `--${option}=${HOSTILE}`]),
    );
    const starts = Object.entries(START_OPTIONS)
      .filter(([option, { type: kind }]) => kind === 'string' && option !== 'write-env')
      .map(([option]) => ['start', '--port=x', `--${option}=${HOSTILE}`]);
    const others = [[HOSTILE], [`--${HOSTILE}`], ['clock', HOSTILE, HOSTILE], ['help', HOSTILE]];
    for (const line of [...arguments_, ...values, ...starts, ...others]) {
      // Commands that need no mock would succeed, and `conform` would run all checks.
      const extra = line[0] === 'conform' ? ['--api', `${liar}/none`] : ['--url', liar];
      expectClean(await type([...line, ...options, ...extra], { isTTY }), { isTTY });
    }
    for (const url of [`http://${HOSTILE}`, HOSTILE]) {
      expectClean(await type(['clock', ...options], { isTTY, env: { OFAGE_MOCK_URL: url } }), {
        isTTY,
      });
      expectClean(await type(['clock', '--url', url, ...options], { isTTY }), { isTTY });
    }
  });
});

it('JSON says the same with escapes', async () => {
  await createSession(mock, { externalUserId: HOSTILE });
  const { stdout } = await type(['sessions', '--json', '--url', mock.apiBase]);
  expect(JSON.parse(stdout)).toMatchObject({ externalUserId: HOSTILE });
});
