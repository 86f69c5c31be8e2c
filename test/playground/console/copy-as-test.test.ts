/** The tests that the doctor's page copies, run as a developer does: all of them by one Vitest. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { DoctorCode, DoctorFinding } from 'ofage-mock';
import { startMockServer } from 'ofage-mock/node';
import { createClient, createWebhookHandler } from 'ofage/server';
import { expect, it, onTestFinished } from 'vitest';
import { toTest } from '../../../playground/console/copy-as-test.ts';
import { aShop, failsOnce, MINUTE, type ShopOptions } from '../../mock-server/doctor/a-shop.ts';
import { compileModules } from '../../support/compile.ts';
import { aFolder } from '../../support/folder.ts';
import { listen } from '../../support/listen.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const VITEST = dirname(createRequire(import.meta.url).resolve('vitest/package.json'));
const SECRET = 'whsec_of_the_shop';

/** A copied test at one server. */
interface Row {
  readonly code: DoctorCode;
  readonly server: string;
  /** The start of the reason why the test fails, or null if it passes. */
  readonly fails: string | null;
  readonly handle: Handle;
  /** What the developer fills in. */
  readonly fillIn?: string;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

const respond =
  (status: number, headers = {}): Handle =>
  (request, response) => {
    request.resume();
    response.writeHead(status, headers).end();
  };

/** Verifies signatures, and handles each event once. */
function aReceiver(): Handle {
  const handler = createWebhookHandler({
    secret: SECRET,
    onEvent: ({ data }) => countOf(data.sessionId),
    onProblem: () => {},
  });
  return async (request, response) => {
    const { method = '', headers } = request;
    const { status } = await handler.handle({ method, headers, body: request });
    response.writeHead(status).end();
  };
}

/** Handles each copy of an event again. */
const repeat: Handle = async (request, response) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  countOf((JSON.parse(text) as { data: { sessionId: string } }).data.sessionId);
  response.writeHead(204).end();
};

/** The number of times that the shop has handled an event, by session. */
const counts = new Map<string, number>();
const countOf = (sessionId: string): void =>
  void counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);

const ONCE = 'expect(await (await fetch(new URL(`/count/${sessionId}`, url))).text()).toBe("1");';
const ACCESS = 'return response.status === 200;';

type Ask = (sessionId: string) => Promise<boolean>;

/** A return page that gives access if `isPassed` says so. */
const aReturnPage =
  (isPassed: (params: URLSearchParams, ask: Ask) => Promise<boolean> | boolean): Handle =>
  async ({ url = '' }, response) => {
    const client = createClient({ secretKey: mock.secretKey, baseUrl: mock.apiBase });
    const ask: Ask = async (sessionId) => {
      const result = await client.validateSession(sessionId).catch(() => null);
      return result?.verified === true;
    };
    const isIn = await isPassed(new URL(url, 'http://127.0.0.1').searchParams, ask);
    response.writeHead(isIn ? 200 : 403).end();
  };

/** Asks once for each session, and remembers the result. */
function askOnce(): Handle {
  const results = new Map<string, Promise<boolean>>();
  return aReturnPage((params, ask) => {
    const id = params.get('sessionId') ?? '';
    const result = results.get(id) ?? ask(id);
    results.set(id, result);
    return result;
  });
}

const askAgain = (): Handle => aReturnPage((params, ask) => ask(params.get('sessionId') ?? ''));
const trustUrl = (): Handle => aReturnPage((params) => params.get('status') === 'verified');
const refuseAll = (): Handle => aReturnPage(() => false);

const ROWS: readonly Row[] = [
  { code: 'webhook_unsigned', server: 'verifies signatures', fails: null, handle: aReceiver() },
  {
    code: 'webhook_unsigned',
    server: 'accepts everything',
    fails: 'a webhook without a signature: expected',
    handle: respond(204),
  },
  {
    code: 'webhook_unsigned',
    server: 'accepts nothing',
    fails: 'a signed webhook: expected',
    handle: respond(401),
  },
  { code: 'webhook_rejected', server: 'accepts', fails: null, handle: aReceiver() },
  { code: 'webhook_rejected', server: 'refuses', fails: 'the webhook:', handle: respond(401) },
  { code: 'webhook_redirected', server: 'does not redirect', fails: null, handle: aReceiver() },
  {
    code: 'webhook_redirected',
    server: 'redirects',
    fails: 'the webhook:',
    handle: (request, response) =>
      request.url === '/other'
        ? respond(204)(request, response)
        : respond(307, { location: '/other' })(request, response),
  },
  { code: 'webhook_unreachable', server: 'runs', fails: null, handle: aReceiver() },
  {
    code: 'webhook_unreachable',
    server: 'closes the connection',
    fails: 'the webhook:',
    handle: (request) => request.destroy(),
  },
  { code: 'webhook_timeout', server: 'responds', fails: null, handle: aReceiver() },
  { code: 'webhook_timeout', server: 'never responds', fails: 'the webhook:', handle: () => {} },
  {
    code: 'webhook_repeated',
    server: 'handles a copy once',
    fails: null,
    handle: aReceiver(),
    fillIn: ONCE,
  },
  {
    code: 'webhook_repeated',
    server: 'handles each copy',
    fails: "expected '2' to be '1'",
    handle: repeat,
    fillIn: ONCE,
  },
  {
    code: 'webhook_repeated',
    server: 'refuses webhooks',
    fails: "both webhooks: expected [ 'reject',",
    handle: respond(400),
    fillIn: ONCE,
  },
  {
    code: 'webhook_repeated',
    server: 'is not asked by the developer',
    fails: 'What must your server say now',
    handle: aReceiver(),
  },
  { code: 'result_asked_twice', server: 'asks once', fails: null, handle: askOnce() },
  {
    code: 'result_asked_twice',
    server: 'asks again',
    fails: 'calls of validate:',
    handle: askAgain(),
  },
  { code: 'result_never_asked', server: 'asks once', fails: null, handle: askOnce() },
  {
    code: 'result_never_asked',
    server: 'never asks',
    fails: 'calls of validate:',
    handle: trustUrl(),
  },
  { code: 'url_status_trusted', server: 'asks', fails: null, handle: askOnce(), fillIn: ACCESS },
  {
    code: 'url_status_trusted',
    server: 'refuses everybody',
    fails: 'a verified session:',
    handle: refuseAll(),
    fillIn: ACCESS,
  },
  {
    code: 'url_status_trusted',
    server: 'is not judged by the developer',
    fails: 'Is this access?',
    handle: askOnce(),
  },
  ...(['url_status_trusted', 'access_not_verified', 'access_before_result'] as const).map(
    (code): Row => ({
      code,
      server: 'trusts the URL',
      fails: 'a forged return, status failed:',
      handle: trustUrl(),
      fillIn: ACCESS,
    }),
  ),
];

let mock: Awaited<ReturnType<typeof startMockServer>>;

it('each copied test passes at a server without the fault, and fails at one with it', async () => {
  mock = await startMockServer({ port: 0 });
  onTestFinished(() => mock.close());
  const folder = aFolder();
  const modules = new Map<string, string>();
  for (const [at, row] of ROWS.entries()) {
    const url = await startServer(row);
    const copied = toTest(await findFinding(row.code, url))!;
    modules.set(`docs/${row.code}.test.ts`, copied);
    const test = row.fillIn ? copied.replace(/^ *expect\.fail\(.*\);$/m, row.fillIn) : copied;
    writeFileSync(join(folder, `row-${at}.test.js`), test);
  }
  // A developer may save it as TypeScript, under compiler options as strict as those of this project.
  const options = { noPropertyAccessFromIndexSignature: false };
  for (const [module, problems] of compileModules(modules, { options }))
    expect.soft(problems, module).toEqual([]);
  const failures = await runVitest(folder);
  for (const [at, { code, server, fails }] of ROWS.entries()) {
    const place = `${code} at a server that ${server}`;
    if (fails === null) expect.soft(failures[at], place).toBeNull();
    else expect.soft(failures[at], place).toContain(`AssertionError: ${fails}`);
  }
}, 120_000);

it('a finding that a test over HTTP cannot show has no test', async () => {
  const shop = await aShop();
  await shop.post('/sessions/create', 'sk_test_wrong', {});
  const { findings } = await shop.doctor();
  expect(findings.map(toTest)).toEqual([null]);
});

/** Starts a server with the page and the receiver of a shop. Returns the address of both. */
async function startServer({ handle }: Row): Promise<string> {
  const server = createServer((request, response) => {
    const [, counted] = /^\/count\/(.*)$/.exec(request.url ?? '') ?? [];
    if (counted === undefined) void handle(request, response);
    else response.end(String(counts.get(counted) ?? 0));
  });
  return `http://127.0.0.1:${await listen(server)}/shop`;
}

/** Makes the mistake at the address, and returns what the doctor says about it. */
async function findFinding(code: DoctorCode, url: string): Promise<DoctorFinding> {
  const { findings } = code.startsWith('webhook_')
    ? await reportOnReceiver(code, url)
    : await reportOnReturn(code, url);
  const found = findings.find((finding) => finding.code === code);
  if (!found) throw new Error(`No ${code} among ${findings.map((one) => one.code).join()}`);
  return found;
}

const RECEIVERS: { readonly [Code in DoctorCode]?: ShopOptions['receiver'] } = {
  webhook_rejected: () => ({ answer: { status: 401 } }),
  webhook_redirected: () => ({ answer: { hops: 1 } }),
  webhook_unreachable: failsOnce(1, 'connect'),
  webhook_timeout: failsOnce(1, 'timeout'),
  webhook_repeated: failsOnce(1, 'timeout'),
};

async function reportOnReceiver(code: DoctorCode, url: string) {
  const receiver = RECEIVERS[code];
  const secret = code === 'webhook_unsigned' ? null : SECRET;
  const shop = await aShop({
    endpoints: [{ url, secret, events: ['verification.completed'] }],
    allowLoopbackWebhooks: true,
    ...(receiver && { receiver }),
  });
  await shop.verify();
  await shop.advance(MINUTE);
  return shop.doctor();
}

async function reportOnReturn(code: DoctorCode, returnUrl: string) {
  const { control, clock, apiBase, secretKey } = mock;
  const post = async (path: string, body: object): Promise<any> =>
    (
      await fetch(`${apiBase}/sessions/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json();
  const { sessionId } = await post('create', { returnUrl, externalUserId: 'anna' });
  const isVerified = code !== 'access_not_verified';
  await control.settle(sessionId, isVerified ? 'verified' : 'cancelled');
  if (code === 'result_never_asked') await clock.advance(11 * MINUTE);
  if (code === 'result_asked_twice')
    for (let n = 0; n < 2; n += 1) await post('validate', { sessionId });
  if (code.startsWith('access_'))
    await control.addObservation({ kind: 'access_granted', sessionId });
  if (code === 'url_status_trusted')
    await control.addObservation({ kind: 'url_status_trusted', sessionId });
  return control.doctor({ sessionId });
}

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly failureMessages: readonly string[] }[];
  }[];
}

/** Runs the test of each row. Returns for each the reason why it failed, or null if it passed. */
async function runVitest(folder: string): Promise<(string | null)[]> {
  const alias = {
    'ofage-mock/testing': join(ROOT, 'mock-server/testing/index.ts'),
    'ofage-mock/client': join(ROOT, 'mock-server/api/client.ts'),
    'ofage-mock': join(ROOT, 'mock-server/index.ts'),
    vitest: join(VITEST, 'dist/index.js'),
  };
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default ${JSON.stringify({ root: folder, resolve: { alias }, test: { isolate: false } })};`,
  );
  const report = join(folder, 'report.json');
  const parts = ['run', '--reporter=json', `--outputFile=${report}`];
  const child = spawn(process.execPath, [join(VITEST, 'vitest.mjs'), ...parts], {
    cwd: folder,
    env: {
      ...process.env,
      OFAGE_WEBHOOK_SECRET: SECRET,
      OFAGE_API_BASE: mock.apiBase,
      NO_COLOR: '1',
      VITEST: '',
    },
    stdio: 'ignore',
  });
  await once(child, 'close');
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JsonReport;
  return ROWS.map((_row, at) => {
    const found = testResults.find(({ name }) => name.endsWith(`/row-${at}.test.js`))!;
    if (found.assertionResults.length === 0) return `Did not run: ${found.message}`;
    const [message = null] = found.assertionResults.flatMap((one) => one.failureMessages);
    return message;
  });
}
