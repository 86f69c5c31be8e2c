/**
 * The pages of the focus tests: a shop on `localhost` and a hosted page on `127.0.0.1`, each with the
 * headers of the current cell. The pages report their events and poll for navigations, because no driver
 * controls the browser.
 */
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendText } from '../support/send-text.ts';
import type { Cell } from './cells.ts';

const SDK = readFileSync(new URL('../../../dist/sdk.min.js', import.meta.url), 'utf8');
const PRODUCTION_BASE = 'https://api.ofage.example/api/v1';
const TIMEOUT_MS = 20_000;

/** A note that a page sent, with the time of its arrival in milliseconds of `performance.now()`. */
export interface Note {
  readonly atMs: number;
  readonly words: readonly string[];
}

/** One cell in progress. */
export interface Scene {
  readonly id: string;
  readonly cell: Cell;
  readonly notes: Note[];
  /** Returns the number of open verification and bank pages. */
  alivePages(): number;
  /** Resolves with the first note that begins with `word`. Rejects after `timeoutMs`. */
  waitForNote(word: string, timeoutMs?: number): Promise<Note>;
  /** Closes all verification and bank pages. */
  closePages(): void;
}

export interface Stage {
  /** Returns the address where a browser starts and waits for its first scene. */
  idleUrl(workstation: string): string;
  /** Navigates the workstation's shop to a new scene and resolves once it is shown. */
  play(workstation: string, cell: Cell): Promise<Scene>;
  /** Navigates the workstation's shop back to the idle page. */
  leave(scene: Scene): void;
  stop(): void;
}

export async function startStage(): Promise<Stage> {
  const scenes = new Map<string, LiveScene>();
  /** Pending responses that will contain the next address, by workstation. */
  const waiting = new Map<string, ServerResponse>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      answer(url, request.method ?? 'GET', Buffer.concat(chunks).toString(), response).catch(
        (error: unknown) => send(response, 500, 'text/plain', String(error)),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const shop = `http://localhost:${port}`;
  const hosted = `http://127.0.0.1:${port}`;

  async function answer(
    url: URL,
    method: string,
    body: string,
    response: ServerResponse,
  ): Promise<void> {
    if (url.pathname === '/idle') return page(response, IDLE_PAGE);
    if (url.pathname === '/next-address') {
      const workstation = url.searchParams.get('workstation') ?? '';
      waiting.set(workstation, response);
      // The page or the whole browser may close before the next navigation.
      response.once('close', () => {
        if (waiting.get(workstation) === response) waiting.delete(workstation);
      });
      return;
    }
    const [, id = '', path = ''] = /^\/s\/([^/]+)(\/.*)$/.exec(url.pathname) ?? [];
    const scene = scenes.get(id);
    if (!scene) return send(response, 404, 'text/plain', 'Not found');
    const { cell } = scene;
    switch (path) {
      case '/shop':
        return page(response, shopPage(id, cell), cell.shop);
      case '/sdk.min.js':
        return send(
          response,
          200,
          'text/javascript',
          SDK.replace(PRODUCTION_BASE, `${hosted}/s/${id}/api`),
        );
      case '/api/sessions/create': {
        if (method === 'OPTIONS') return send(response, 204, 'text/plain', '', CORS);
        await sleep(cell.createMs);
        const verifyUrl = `${hosted}/s/${id}/hosted?sessionId=${id}`;
        const session = JSON.stringify({ sessionId: id, verifyUrl });
        return send(response, 201, 'application/json', session, CORS);
      }
      case '/hosted':
        await sleep(cell.hostedMs);
        return page(response, hostedPage(cell), cell.hosted);
      case '/bank':
        return page(response, checkPage('Bank', 'bank'), 'same-origin');
      case '/alive':
        scene.holdOpen(response);
        return;
      case '/note':
        scene.add(JSON.parse(body) as string[]);
        return send(response, 204, 'text/plain', '', CORS);
      default:
        return send(response, 404, 'text/plain', 'Not found');
    }
  }

  const navigateShop = async (workstation: string, href: string): Promise<void> => {
    for (const endMs = performance.now() + TIMEOUT_MS; !waiting.has(workstation); await sleep(20)) {
      if (performance.now() > endMs)
        throw new Error(`The shop of workstation ${workstation} does not request its next address`);
    }
    const response = waiting.get(workstation)!;
    waiting.delete(workstation);
    send(response, 200, 'text/plain', href);
  };

  return {
    idleUrl: (workstation) => `${shop}/idle?workstation=${workstation}`,
    async play(workstation, cell) {
      const scene = new LiveScene(workstation, cell);
      scenes.set(scene.id, scene);
      await navigateShop(workstation, `/s/${scene.id}/shop?workstation=${workstation}`);
      await scene.waitForNote('ready');
      return scene;
    },
    leave(scene) {
      scene.closePages();
      const { workstation } = scenes.get(scene.id)!;
      // If the page does not respond, the next scene fails and restarts the browser.
      navigateShop(workstation, `/idle?workstation=${workstation}`).catch(() => {});
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

class LiveScene implements Scene {
  readonly id: string = crypto.randomUUID();
  readonly notes: Note[] = [];
  readonly workstation: string;
  readonly cell: Cell;
  readonly #pages = new Set<ServerResponse>();
  #changed: () => void = () => {};

  constructor(workstation: string, cell: Cell) {
    this.workstation = workstation;
    this.cell = cell;
  }

  add(words: string[]): void {
    this.notes.push({ atMs: performance.now(), words });
    this.#changed();
  }

  alivePages(): number {
    return this.#pages.size;
  }

  /** Keeps the request of a page pending while the page is open. Its response tells the page to close. */
  holdOpen(response: ServerResponse): void {
    this.#pages.add(response);
    response.once('close', () => this.#pages.delete(response));
  }

  closePages(): void {
    for (const response of this.#pages) send(response, 200, 'text/plain', 'close', CORS);
  }

  async waitForNote(word: string, timeoutMs = TIMEOUT_MS): Promise<Note> {
    const endMs = performance.now() + timeoutMs;
    for (;;) {
      const found = this.notes.find(({ words }) => words[0] === word);
      if (found) return found;
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) throw new Error(`Waited ${timeoutMs} ms for the note "${word}"`);
      await Promise.race([
        sleep(leftMs),
        new Promise<void>((resolve) => {
          this.#changed = resolve;
        }),
      ]);
    }
  }
}

/** A script that waits for the next address and navigates there. */
const FOLLOW_NAVIGATION = `fetch('/next-address?workstation=' + new URLSearchParams(location.search).get('workstation')).then((r) => r.text()).then((href) => { window.ofAge && ofAge.destroy(); location.replace(href); });`;

const IDLE_PAGE = `<!doctype html><html lang=en><title>Shop</title><h1>Idle</h1><script>${FOLLOW_NAVIGATION}</script>`;

/** A page that one button fills, so that a real mouse always hits it. */
const shopPage = (
  id: string,
  { target }: Cell,
): string => `<!doctype html><html lang=en><title>Shop</title>
<body style="margin:0"><button id=verify style="width:100vw;height:100vh">Verify my age</button>
<script src="/s/${id}/sdk.min.js"></script>
<script>
const note = (...words) => fetch('/s/${id}/note', { method: 'POST', body: JSON.stringify(words.map(String)), keepalive: true });
for (const type of ['focus', 'blur']) addEventListener(type, () => note(type));
document.addEventListener('visibilitychange', () => note(document.visibilityState));
let clicked = false;
window.ofAge = new OfAge({
  apiKey: 'pk_focus',
  returnUrl: location.origin + '/return',
  mode: 'new-tab',
  newTabTarget: '${target}',
  onCancel: () => note('onCancel'),
});
document.getElementById('verify').onclick = () => {
  if (clicked) return;
  clicked = true;
  note('click');
  ofAge.verify({ externalUserId: '${id}' }).then((result) => note('resolved', result.status, result.reason), (error) => note('rejected', error.code));
};
addEventListener('pageshow', () => note('ready'));
${FOLLOW_NAVIGATION}
</script>`;

/** A page that keeps a request pending while it is open, and closes when the response arrives. */
const checkPage = (title: string, word: string, script = ''): string =>
  `<!doctype html><html lang=en><title>${title}</title><h1>${title}</h1>
<script>
const base = location.pathname.replace(/[^/]*$/, '');
const note = (...words) => fetch(base + 'note', { method: 'POST', body: JSON.stringify(words.map(String)), keepalive: true });
note('${word}');
fetch(base + 'alive').then((r) => r.text()).then(() => window.close());
${script}
</script>`;

const hostedPage = ({ kind, hopMs, announces }: Cell): string =>
  checkPage(
    'Hosted',
    'hosted',
    `const tell = (present) => ${announces} && window.opener && opener.postMessage({ type: 'ofage:verification:presence', sessionId: new URLSearchParams(location.search).get('sessionId'), present }, '*');
tell(true);
for (const type of ['beforeunload', 'pagehide']) addEventListener(type, () => tell(null));
${hopMs === undefined ? '' : `setTimeout(() => { ${kind === 'challenge' ? '' : 'tell(false);'} location.assign('bank'); }, ${hopMs});`}`,
  );

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '600',
};

const page = (response: ServerResponse, html: string, coop?: string): void =>
  send(response, 200, 'text/html', html, coop ? { 'cross-origin-opener-policy': coop } : undefined);

function send(...[response, status, type, body, headers]: Parameters<typeof sendText>): void {
  sendText(response, status, type, body, { 'cache-control': 'no-store', ...headers });
}
