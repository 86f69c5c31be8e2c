import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type MockServer, startMockServer } from 'ofage-mock/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES, type RouteName } from '../../../mock-server/hosts/route-table.ts';
import { type AppParts, createApp } from '../../../mock-server/service/http/app.ts';
import { findFreePort } from '../../support/free-port.ts';
import {
  PROXY_KINDS,
  type ProxyKind,
  sendThrough,
  startTlsProxy,
  type TlsProxy,
} from '../../support/tls-proxy.ts';
import { hasOpenssl } from '../../support/tls.ts';

const ROOT = join(import.meta.dirname, '../../..');
const NAME = 'my-mock.example';

/**
 * The table of public paths, with the status of a request that has no key, token or body. Every other route
 * of the main listener must be in the list below it. A new route has to be added to one of the two.
 */
const PUBLIC: Readonly<Record<string, number>> = {
  'GET /': 200,
  'POST /api/v1/sessions/create': 401,
  'POST /api/v1/sessions/validate': 401,
  'GET /hosted/v1/session': 401,
  'POST /hosted/v1/heartbeat': 401,
  'POST /hosted/v1/continue': 401,
  'POST /hosted/v1/submit': 401,
  'POST /hosted/v1/retry': 401,
  'POST /hosted/v1/outcome': 401,
  'POST /hosted/v1/cancel': 401,
  'POST /hosted/v1/leave': 401,
  'GET /verify/': 200,
  'GET /assets/verify-AAAAAAAA.js': 200,
  'GET /assets/qr-BBBBBBBB.js': 200,
  'GET /sdk.min.js': 200,
  'GET /ofage.min.js': 200,
  'GET /help/popup_blocked': 200,
};

const NOT_PUBLIC: readonly RegExp[] = [
  /^\w+ \/control\/v1\//,
  // Reports come from pages of this computer, like those of the shop under development.
  /^POST \/reports\/v1$/,
  /^GET \/(openapi|asyncapi)\.json$/,
  /^GET \/shop\//,
  /^GET \/docs\//,
  /^GET \/help\/$/,
  /^GET \/(code|console|labs|labs\/coop|labs\/frame|return)\/$/,
  /^GET \/assets\/console-CCCCCCCC\.js$/,
];

/** The routes that the service itself has, as its router lists them. */
const serviceRoutes = (): string[] =>
  createApp({} as AppParts)
    .routes.filter(({ method }) => method !== 'ALL' && method !== 'OPTIONS')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, 'an-id')}`);

/** A page for each one in the sources. */
const pageRoutes = globSync('playground/**/index.html', { cwd: ROOT }).map((file) =>
  `GET /${dirname(file).replace(/^playground\/?/, '')}/`.replace('//', '/'),
);

/** The type makes the list complete: a kind of path that is new in the table of the sources does not compile. */
const BY_KIND: Readonly<Record<RouteName, readonly string[]>> = {
  service: serviceRoutes(),
  shop: ['GET /shop/config', 'GET /shop/webhooks/ofage'],
  script: ['GET /sdk.min.js', 'GET /ofage.min.js'],
  help: ['GET /help/', 'GET /help/popup_blocked'],
  docs: ['GET /docs/', 'GET /docs/guides/popup/'],
  page: [
    ...pageRoutes,
    ...['verify-AAAAAAAA', 'qr-BBBBBBBB', 'console-CCCCCCCC'].map(
      (name) => `GET /assets/${name}.js`,
    ),
  ],
};
const mainRoutes = [...new Set(Object.values(BY_KIND).flat())];

let folder = '';
let server: MockServer;
let publicPort = 0;
const proxies = new Map<ProxyKind, TlsProxy>();
const KINDS = Object.keys(PROXY_KINDS) as ProxyKind[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-public-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const route of pageRoutes) write(`pages${route.slice(4)}index.html`, 'A page');
  write('pages/verify/index.html', '<script src="../assets/verify-AAAAAAAA.js"></script>');
  write('pages/assets/verify-AAAAAAAA.js', 'import("./qr-BBBBBBBB.js")');
  write('pages/assets/qr-BBBBBBBB.js', '');
  write('pages/assets/console-CCCCCCCC.js', '');
  write('docs/index.html', 'The documentation');
  write('docs/guides/popup/index.html', 'A guide');
  write(
    'sdk.js',
    '"https://api.ofage.example/api/v1";"https://api.staging.ofage.example/api/v1";"https://docs.ofage.example/errors/"',
  );
  publicPort = await findFreePort();
  server = await startMockServer({
    port: 0,
    publicPort,
    publicUrl: `https://${NAME}`,
    pagesDir: join(folder, 'pages'),
    docsDir: join(folder, 'docs'),
    sdkFile: join(folder, 'sdk.js'),
  });
  for (const kind of KINDS) proxies.set(kind, await startTlsProxy(kind, { [NAME]: publicPort }));
});
afterAll(async () => {
  for (const proxy of proxies.values()) proxy.stop();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const isInTable = (route: string): boolean =>
  route in PUBLIC || NOT_PUBLIC.some((pattern) => pattern.test(route));

it('every route of the main listener is in one of the two tables', () => {
  expect(mainRoutes.length).toBeGreaterThan(80);
  expect(Object.keys(BY_KIND)).toEqual(Object.keys(ROUTES));
  expect(mainRoutes.filter((route) => !isInTable(route))).toEqual([]);
  expect(Object.keys(PUBLIC).filter((route) => !mainRoutes.includes(route))).toEqual([]);
});

it('the main listener has all routes', async () => {
  for (const route of mainRoutes) {
    const [method, path] = route.split(' ') as [string, string];
    if (path === '/control/v1/stream' || method !== 'GET' || path.includes('an-id')) continue;
    const response = await fetch(new URL(path, server.shop), { method });
    await response.body?.cancel();
    expect([route, response.status], route).not.toEqual([route, 404]);
  }
});

describe.skipIf(!hasOpenssl()).each(KINDS)('through a proxy that %s', (kind) => {
  const ask = async (line: string, headers: readonly string[] = [], body = '') => {
    const head = [`${line} HTTP/1.1`, `Host: ${NAME}`, ...headers, '', body].join('\r\n');
    const { statuses, text } = await sendThrough(proxies.get(kind)!, NAME, head);
    const [top = '', ...rest] = text.split('\r\n\r\n');
    return {
      status: statuses[0],
      count: statuses.length,
      head: top.toLowerCase(),
      body: rest.join('\r\n\r\n'),
    };
  };

  it('only the routes of the table exist', async () => {
    for (const route of mainRoutes) {
      const { status, head, body } = await ask(route);
      expect([route, status]).toEqual([route, PUBLIC[route] ?? 404]);
      expect(head, route).toContain('\r\nx-robots-tag: noindex');
      if (!(route in PUBLIC)) expect(body).toContain(`Not found: ${route.split(' ')[1]}\n`);
    }
  });

  it.each([
    ['absolute form', 'GET http://127.0.0.1:4010/control/v1/state', 404],
    ['absolute form of another server', 'GET http://localhost:22/', 200],
    ['absolute form of https', `GET https://${NAME}/console/`, 404],
    ['absolute form of a public path', `GET http://evil.example/verify/`, 200],
    ['a file URL', 'GET file:///etc/passwd', 400],
    ['dot segments', 'GET /api/v1/../../control/v1/state', 404],
    ['encoded dot segments', 'GET /api/v1/%2e%2e/%2E%2e/control/v1/state', 404],
    ['dot segments with encoded slashes', 'GET /api/v1/..%2f..%2fcontrol/v1/state', 404],
    ['dot segments after the hosted page', 'GET /verify/../console/', 404],
    ['dot segments with encoded slashes after the hosted page', 'GET /verify/..%2fconsole/', 404],
    ['dot segments after the assets', 'GET /assets/..%2fconsole%2findex.html', 404],
    ['an encoded letter', 'GET /%63ontrol/v1/state', 404],
    ['an encoded letter of a public path', 'GET /hosted/v1/%73ession', 401],
    ['an encoded letter after a public prefix', 'GET /api/v1/%2e%2e%2fcontrol/v1/state', 404],
    ['two slashes', 'GET //control/v1/state', 404],
    ['two slashes inside', 'GET /api/v1//control/v1/state', 404],
    ['upper case', 'GET /CONTROL/v1/state', 404],
    ['upper case of a public path', 'GET /Verify/', 404],
    ['a backslash', 'GET /verify\\..\\console/', 400],
    ['a parameter in the path', 'GET /control;x/v1/state', 404],
    ['a query that looks like a path', 'GET /?/control/v1/state', 200],
    ['no slash at the end', 'GET /verify', 404],
    ['a folder of files', 'GET /assets/', 404],
    ['a help page that does not exist', 'GET /help/nothing', 404],
    ['a star', 'OPTIONS *', 400],
    ['HEAD', 'HEAD /verify/', 200],
    ['HEAD of a path that is not public', 'HEAD /console/', 404],
    ['OPTIONS of a page', 'OPTIONS /verify/', 405],
    ['OPTIONS of the API', 'OPTIONS /api/v1/sessions/create', 204],
    ['OPTIONS of the control API', 'OPTIONS /control/v1/reset', 404],
    ['POST to a page', 'POST /verify/', 405],
    ['POST to the introduction', 'POST /', 405],
    ['DELETE of the API', 'DELETE /api/v1/sessions/create', 405],
    ['an unknown operation of the API', 'GET /api/v1/nothing', 404],
    ['PROPFIND', 'PROPFIND /verify/', 405],
    ['TRACE of a page', 'TRACE /verify/', 405],
    ['TRACE of the API', 'TRACE /api/v1/sessions/create', 405],
    ['TRACE of the control API', 'TRACE /control/v1/state', 404],
    ['CONNECT', 'CONNECT localhost:22', 405],
    ['a method that does not exist', 'BREW /verify/', 400],
  ])('%s: %s gets %i', async (_why, line, status) => {
    const answer = await ask(line);
    expect([answer.status, answer.count]).toEqual([status, 1]);
    expect(answer.head).toContain('\r\nx-robots-tag: noindex');
    expect(answer.body).not.toMatch(/root:x:0|"counts"|tenantId/);
  });

  it.each(['/control/v1/stream', '/verify/', '/'])(
    'a WebSocket at %s is answered like any other request',
    async (path) => {
      const upgrade = [
        'Connection: Upgrade, close',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
      ];
      const { status, head } = await ask(`GET ${path}`, [
        ...upgrade,
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      ]);
      expect(status).toBe(path.startsWith('/control') ? 404 : 200);
      expect(head).not.toContain('upgrade: websocket');
    },
  );

  it('the script is bound to the public address, and to nothing else', async () => {
    for (const path of ['/sdk.min.js', '/ofage.min.js']) {
      const { body } = await ask(`GET ${path}`);
      expect(body).toContain(`https://${NAME}/api/v1`);
      expect(body).toContain(`https://${NAME}/help/`);
      expect(body).not.toMatch(/127\.0\.0\.1|localhost|ofage\.example/);
    }
  });

  it('a help page links to no path that does not exist here', async () => {
    const { body } = await ask('GET /help/popup_blocked');
    const links = Array.from(body.matchAll(/href="([^"]+)"/g), ([, link]) => link);
    expect(links.filter((link) => !link?.startsWith('https://docs.ofage.example/'))).toEqual([]);
  });

  it('a session leads to the public address, and every page may read the response of the API', async () => {
    const body = '{"returnUrl":"http://localhost:3000/return"}';
    const origin = 'Origin: https://shop.example';
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`, origin];
    const created = await ask(
      'POST /api/v1/sessions/create',
      [...headers, `Authorization: Bearer ${server.publishableKey}`],
      body,
    );
    expect([created.status, created.head]).toEqual([
      201,
      expect.stringContaining('access-control-allow-origin: *'),
    ]);
    expect(created.body).toContain(`"verifyUrl":"https://${NAME}/verify/?sessionId=`);
    const [, token] = /"sessionToken":"([^"]+)"/.exec(created.body) ?? [];
    // The hosted page sends its own origin.
    const beat = await ask(
      'POST /hosted/v1/heartbeat',
      [
        'Content-Type: application/json',
        'Content-Length: 2',
        `Origin: https://${NAME}`,
        `Authorization: Bearer ${token}`,
      ],
      '{}',
    );
    expect(beat.status).toBe(200);
    expect(beat.body).toContain(`"handoffUrl":"https://${NAME}/verify/?sessionId=`);
  });

  it('no request can pass for one of the console', async () => {
    const body = '{"returnUrl":"http://localhost/"}';
    const { requests } = (await server.control.doctor()).seen;
    const { status } = await ask(
      'POST /api/v1/sessions/create',
      [
        'X-OfAge-Console: 1',
        `Authorization: Bearer ${server.secretKey}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ],
      body,
    );
    expect(status).toBe(201);
    // The doctor leaves out the requests of the console itself.
    expect((await server.control.doctor()).seen.requests).toBe(requests + 1);
  });
});

it.skipIf(!hasOpenssl())(
  'a secret key from a page of another site is refused, like on the main listener',
  async () => {
    const head = [
      'POST /api/v1/sessions/validate HTTP/1.1',
      `Host: ${NAME}`,
      'Origin: https://shop.example',
      `Authorization: Bearer ${server.secretKey}`,
      '',
      '',
    ].join('\r\n');
    const { statuses, text } = await sendThrough(proxies.get('keeps the Host')!, NAME, head);
    expect(statuses).toEqual([403]);
    expect(text).toContain('A secret key must stay on your server');
  },
);
