import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startMockServer, type MockServer } from 'ofage-mock/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonHeaders } from '../../support/api.ts';
import { holdOpen, sendRaw, type RawAnswer } from '../../support/raw-socket.ts';

/**
 * Number of requests in the memory test. For a long run: `OFAGE_REQUESTS=100000 npm run unit --
 * test/mock-server/hosts/hostile.test.ts`.
 */
const REQUESTS = Number(process.env.OFAGE_REQUESTS ?? 1_000);

let server: MockServer;
let port = 0;
const faults: unknown[] = [];
beforeAll(async () => {
  server = await startMockServer({ port: 0, onError: (error) => faults.push(error) });
  port = Number(new URL(server.apiBase).port);
});
afterAll(() => server.close());

/** Checks that the service responds to others after an attack, and has logged no internal error. */
async function expectUnharmed(): Promise<void> {
  expect((await fetch(`${server.controlBase}/clock`)).status).toBe(200);
  expect(faults.splice(0)).toEqual([]);
}

/** Sends bytes over a connection of its own, and checks that they did no harm. */
async function attack(bytes: string, options?: Parameters<typeof sendRaw>[2]): Promise<RawAnswer> {
  const answer = await sendRaw(port, bytes, options);
  await expectUnharmed();
  return answer;
}

const CREATE = '/api/v1/sessions/create';
const head = (line: string, ...headers: string[]): string =>
  [line, 'Host: 127.0.0.1', ...headers, '', ''].join('\r\n');

describe('request bodies', () => {
  const big = 'x'.repeat(10_000_000);
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;

  it.each([
    ['/api/v1/sessions/create', 413],
    ['/hosted/v1/submit', 401],
    ['/control/v1/tenants', 413],
  ])('of 10 MB, which is above the limit, to %s are rejected with %i', async (path, status) => {
    const bytes = `${head(`POST ${path} HTTP/1.1`, ...authorize(), `Content-Length: ${big.length}`)}${big}`;
    const answer = await attack(bytes, { answers: 1 });
    // A server that has responded may close the connection while the body is still arriving.
    if (answer.end !== 'reset') expect(answer.statuses).toEqual([status]);
  });

  it('of 10 MB in chunks, which is above the limit, are rejected', async () => {
    const request = head(`POST ${CREATE} HTTP/1.1`, ...authorize(), 'Transfer-Encoding: chunked');
    const answer = await attack(request + chunk.repeat(150), { answers: 1 });
    if (answer.end !== 'reset') expect(answer.statuses).toEqual([413]);
  });
});

describe('request headers', () => {
  it('with 2,000 lines are rejected', async () => {
    const flood = Array.from({ length: 2_000 }, (_, n) => `X-${n}: ${'y'.repeat(20)}`);
    const answer = await attack(head('GET / HTTP/1.1', ...flood));
    if (answer.end !== 'reset') expect(answer.statuses).toEqual([431]);
  });

  it('do not delay other clients if they arrive slowly', async () => {
    const release = await holdOpen(
      port,
      200,
      `POST ${CREATE} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: `,
    );
    await expectUnharmed();
    release();
  });

  it('without the announced body do not delay other clients', async () => {
    const request = head(`POST ${CREATE} HTTP/1.1`, ...authorize(), 'Content-Length: 100');
    const release = await holdOpen(port, 200, request);
    await expectUnharmed();
    release();
  });
});

describe('paths', () => {
  it.each([
    '/verify/%2e%2e/%2e%2e/package.json',
    '/..\\..\\package.json',
    '//etc/passwd',
    '/%',
    'http://127.0.0.1/../../etc/passwd',
    'file:///etc/passwd',
    '*',
  ])('%s reaches no file and no route', async (path) => {
    const answer = await attack(head(`GET ${path} HTTP/1.1`, 'Connection: close'));
    expect(answer.statuses.every((status) => status !== 200 && status !== 500)).toBe(true);
    expect(answer.text).not.toMatch(/root:x:0|"devDependencies"/);
  });

  it('reach no route if they are very long', async () => {
    const path = '/a'.repeat(4_000);
    const answer = await attack(head(`GET ${path} HTTP/1.1`, 'Connection: close'));
    expect(answer.statuses).toEqual([404]);
  });

  it.each([
    '/api/v1/../../control/v1/state',
    '/control/v1/state/../state',
    '/CONTROL/v1/state',
    '/control//v1/state',
    '/control/v1/state;x=1',
    '/%63ontrol/v1/state',
  ])('%s does not bypass the origin check', async (path) => {
    const answer = await attack(
      head(`GET ${path} HTTP/1.1`, 'Origin: https://evil.example', 'Connection: close'),
    );
    expect(answer.statuses.every((status) => status >= 400)).toBe(true);
    expect(answer.text).not.toContain(server.tenantId);
  });
});

describe('many invalid requests', () => {
  // They reach the rate limit, which must not refuse those of other tests.
  afterAll(() => server.clock.advance(60_000));

  it(
    `make the heap grow by less than 8 MB (${REQUESTS.toLocaleString('en')} requests)`,
    async () => {
      // The first requests fill caches, compile code and open connections.
      await storm(1_000);
      const before = usedMb();
      await storm(REQUESTS);
      await expectUnharmed();
      const growthMb = usedMb() - before;
      console.info(`heap after ${REQUESTS} requests: ${growthMb.toFixed(1)} MB more`);
      expect(growthMb).toBeLessThan(8);
    },
    60_000 + REQUESTS * 5,
  );

  /** Sends invalid requests of every kind, 16 at a time. None of them creates a resource. */
  async function storm(count: number): Promise<void> {
    let sent = 0;
    const worker = async (): Promise<void> => {
      while (sent < count) {
        const n = sent;
        sent += 1;
        const [path, init] = KINDS[n % KINDS.length]!(n);
        const response = await fetch(new URL(path, server.apiBase), init);
        await response.arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  }

  const KINDS: readonly ((n: number) => [path: string, init: RequestInit])[] = [
    (n) => [CREATE, { method: 'POST', headers: { authorization: `Bearer sk_${n}` }, body: '{}' }],
    () => [
      CREATE,
      { method: 'POST', headers: jsonHeaders(server.secretKey), body: '{"returnUrl":5}' },
    ],
    () => [
      CREATE,
      { method: 'POST', headers: jsonHeaders(server.secretKey), body: 'x'.repeat(66_000) },
    ],
    (n) => [
      '/api/v1/sessions/validate',
      { method: 'POST', headers: jsonHeaders(server.secretKey), body: `{"sessionId":"${n}"}` },
    ],
    (n) => [`/api/v1/nothing/${n}`, {}],
    (n) => ['/hosted/v1/session', { headers: { authorization: `Bearer st1_${n}` } }],
    (n) => [`/control/v1/sessions/${n}`, {}],
    (n) => [`/pages/${n}.html`, {}],
  ];
});

function authorize(): string[] {
  return [`Authorization: Bearer ${server.secretKey}`, 'Content-Type: application/json'];
}

/** Returns the used heap after a garbage collection, in megabytes. */
function usedMb(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
}
