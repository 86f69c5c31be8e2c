/**
 * Two sites for the SDK's scenarios: a merchant on `localhost` and a hosted page on `127.0.0.1`, whose
 * headers each test chooses. Sessions come from the mock service, with a replaced `verifyUrl`.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendText } from './send-text.ts';
import { startProvider, type Provider } from './provider.ts';

const SDK = readFileSync(new URL('../../../dist/sdk.min.js', import.meta.url), 'utf8');
const PRODUCTION_BASE = 'https://api.ofage.example/api/v1';

/** The behaviour of the hosted page in one test. It is passed in the path. */
export interface Hosted {
  /** The hosted page's Cross-Origin-Opener-Policy. */
  readonly coop?: string;
  /** Delay of the create call, in milliseconds. */
  readonly createDelayMs?: number;
  /**
   * The response of the hosted page: a page, none (the request hangs), 204 or a download. With `project`, the
   * session leads to the hosted page of this project.
   */
  readonly page?: 'page' | 'hang' | '204' | 'download' | 'project';
  /** Delay of the hosted page's response, in milliseconds. */
  readonly delayMs?: number;
}

/** The behaviour of the merchant's page in one test. It is passed in the query. */
export interface Merchant {
  readonly coop?: string;
  /** Sends the strictest CSP that the SDK supports. It allows images only for WebKit's favicon request. */
  readonly strictCsp?: boolean;
  /** Constructor options in addition to apiKey and returnUrl. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly hosted?: Hosted;
  /** Calls verify() when the page has loaded, as an age gate does. */
  readonly startsOnLoad?: boolean;
  /** A classic script that the page runs before the SDK. */
  readonly script?: string;
}

export interface Sites {
  /** The merchant's origin. */
  readonly merchant: string;
  /** A second origin of the merchant's server, with the same pages. */
  readonly otherOrigin: string;
  /** The hosted page's origin. */
  readonly hosted: string;
  readonly provider: Provider;
  /** Returns the address of the merchant's page with the given setup. */
  page(setup?: Merchant): string;
  /** Returns the address of a page of another site with the merchant's page in a frame. */
  frame(setup?: Merchant, sandbox?: string, coop?: string): string;
  /** Returns the number of create calls, preflights and requests of the hosted page since the start. */
  counts(): { posts: number; preflights: number; visits: number };
  /** Returns the requests of the merchant's pages, with the value of the header `Sec-Purpose`. */
  pageViews(): readonly { url: URL; purpose: string | undefined }[];
  stop(): Promise<void>;
}

export async function startSites(): Promise<Sites> {
  const provider = await startProvider(['--no-demo']);
  const counts = { posts: 0, preflights: 0, visits: 0 };
  const pageViews: { url: URL; purpose: string | undefined }[] = [];
  let merchant = '';
  let hosted = '';

  const merchantServer = await listen((request, response) => {
    const url = new URL(request.url ?? '/', merchant);
    if (url.pathname === '/sdk.min.js') {
      const base = `${hosted}/v/${encodeURIComponent(url.searchParams.get('hosted') ?? '{}')}/api/v1`;
      return sendText(response, 200, 'text/javascript', SDK.replace(PRODUCTION_BASE, base));
    }
    pageViews.push({ url, purpose: request.headers['sec-purpose']?.toString() });
    const setup = JSON.parse(url.searchParams.get('setup') ?? '{}') as Merchant;
    if (url.pathname === '/') {
      return sendText(response, 200, 'text/html', merchantPage(provider.publishableKey, setup), {
        ...coopHeader(setup.coop),
        ...(setup.strictCsp ? strictCsp(hosted) : {}),
      });
    }
    if (url.pathname === '/return') return sendText(response, 200, 'text/html', RETURN_PAGE);
    if (url.pathname === '/cancelled')
      return sendText(response, 200, 'text/html', '<h1 id=cancelled>Cancelled</h1>');
    return sendText(response, 404, 'text/plain', 'Not found');
  });

  const hostedServer = await listen(async (request, response) => {
    const url = new URL(request.url ?? '/', hosted);
    if (url.pathname === '/frame') {
      const inner = url.searchParams.get('page') ?? '';
      const sandbox = url.searchParams.get('sandbox');
      const attribute = sandbox ? ` sandbox="${sandbox}"` : '';
      return sendText(
        response,
        200,
        'text/html',
        `<!doctype html><title>Frame</title><iframe src="${inner}"${attribute} width=600 height=400></iframe>`,
        coopHeader(url.searchParams.get('coop') ?? undefined),
      );
    }
    const [, variant, rest] = /^\/v\/([^/]+)(\/.*)$/.exec(url.pathname) ?? [];
    if (!variant || !rest) return sendText(response, 404, 'text/plain', 'Not found');
    const setup = JSON.parse(decodeURIComponent(variant)) as Hosted;
    if (rest === '/hosted') {
      counts.visits += 1;
      if (setup.page === 'hang') return;
      if (setup.page === '204') return sendText(response, 204, 'text/plain', '');
      if (setup.page === 'download') {
        const disposition = { 'content-disposition': 'attachment; filename=check.txt' };
        return sendText(response, 200, 'text/plain', 'Not a page', disposition);
      }
      if (setup.delayMs) await sleep(setup.delayMs);
      return sendText(response, 200, 'text/html', HOSTED_PAGE, coopHeader(setup.coop));
    }
    counts[request.method === 'OPTIONS' ? 'preflights' : 'posts'] += 1;
    if (request.method !== 'OPTIONS' && setup.createDelayMs) await sleep(setup.createDelayMs);
    const answer = await passOn(request, provider.apiBase + rest.slice('/api/v1'.length));
    response.writeHead(answer.status, answer.headers);
    if (setup.page === 'project') return response.end(answer.body);
    const verifyUrl = `"verifyUrl":"${hosted}/v/${variant}/hosted?`;
    response.end(answer.body.replace(/"verifyUrl":"[^"?]*\?/, verifyUrl));
  });

  merchant = `http://localhost:${(merchantServer.address() as AddressInfo).port}`;
  hosted = `http://127.0.0.1:${(hostedServer.address() as AddressInfo).port}`;

  const page = (setup: Merchant = {}): string =>
    `${merchant}/?setup=${encodeURIComponent(JSON.stringify(setup))}`;
  return {
    merchant,
    otherOrigin: merchant.replace('localhost', '127.0.0.1'),
    hosted,
    provider,
    page,
    frame: (setup, sandbox, coop) => {
      const query = new URLSearchParams({
        page: page(setup),
        ...(sandbox ? { sandbox } : {}),
        ...(coop ? { coop } : {}),
      });
      return `${hosted}/frame?${query}`;
    },
    counts: () => ({ ...counts }),
    pageViews: () => [...pageViews],
    async stop() {
      for (const server of [merchantServer, hostedServer]) {
        server.closeAllConnections();
        server.close();
      }
      await provider.stop();
    },
  };
}

function merchantPage(apiKey: string, setup: Merchant): string {
  const hosted = encodeURIComponent(JSON.stringify(setup.hosted ?? {}));
  return `<!doctype html><html lang=en><title>Merchant</title>
<button id=verify>Verify my age</button><button id=late>Verify too late</button>
<pre id=log></pre>
<script nonce=n>${setup.script ?? ''}</script>
<script nonce=n src="/sdk.min.js?hosted=${hosted}"></script>
<script nonce=n>
const setup = ${JSON.stringify(setup)};
window.log = [];
const note = (...entry) => {
  log.push(entry);
  document.getElementById('log').textContent = JSON.stringify(log);
  try { localStorage.log = JSON.stringify(log); } catch {} // a sandboxed frame has no storage
};
addEventListener('securitypolicyviolation', (event) => note('violation', event.violatedDirective));
addEventListener('pageshow', (event) => note('pageshow', event.persisted));
window.ofAge = new OfAge(Object.assign({
  apiKey: ${JSON.stringify(apiKey)},
  returnUrl: location.origin + '/return?keep=a%20b',
  mode: 'new-tab',
  ...(setup.options && setup.options.mode === 'redirect' ? {} : {
    onComplete: (result) => note('onComplete', result.status),
    onCancel: () => note('onCancel'),
  }),
  onError: (error) => note('onError', error.code),
}, setup.options));
window.start = (call) => { note('verify'); return ofAge.verify(call).then((result) => note('resolved', result.status, result.reason || null, result), (error) => note('rejected', error.code, (error.details && error.details.reason) || null, error.message)); };
document.getElementById('verify').onclick = () => { start(); };
if (setup.startsOnLoad) start();
document.getElementById('late').onclick = () => { setTimeout(() => start(), 7000); };
</script>`;
}

const RETURN_PAGE = `<!doctype html><html lang=en><title>Return</title><pre id=returned></pre>
<script src="/sdk.min.js"></script>
<script>document.getElementById('returned').textContent = JSON.stringify(OfAge.handleReturn());</script>`;

/** A hosted page that acts only when the test calls one of its functions. */
const HOSTED_PAGE = `<!doctype html><html lang=en><title>Hosted</title><h1 id=hosted>Hosted page</h1>
<button id=close onclick="window.close()">Close</button>
<script>
const sessionId = new URLSearchParams(location.search).get('sessionId');
window.say = (to, status, more) => window.opener && window.opener.postMessage(Object.assign({ type: 'ofage:verification:complete', sessionId, status, timestamp: Date.now() }, more), to);
window.goBack = (url, status) => location.assign(url + '&sessionId=' + sessionId + '&status=' + status + '&timestamp=' + Date.now());
</script>`;

const coopHeader = (value: string | undefined): Record<string, string> =>
  value ? { 'cross-origin-opener-policy': value } : {};

const strictCsp = (hosted: string): Record<string, string> => ({
  'content-security-policy': `default-src 'none'; img-src 'self'; script-src 'nonce-n'; connect-src ${hosted}; style-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
});

async function passOn(
  request: IncomingMessage,
  url: string,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const names = [
    'authorization',
    'content-type',
    'origin',
    'access-control-request-method',
    'access-control-request-headers',
  ];
  const headers = Object.fromEntries(
    names.flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : [])),
  );
  const response = await fetch(url, {
    method: request.method ?? 'GET',
    headers,
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
  });
  const kept = [...response.headers].filter(
    ([name]) => !/^(content-length|connection|keep-alive|transfer-encoding|date)$/.test(name),
  );
  return {
    status: response.status,
    headers: Object.fromEntries(kept),
    body: await response.text(),
  };
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<Server> {
  const server = createServer((request, response) => {
    Promise.resolve(handle(request, response)).catch((error: unknown) =>
      sendText(response, 500, 'text/plain', String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
