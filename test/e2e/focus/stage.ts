/**
 * The pages of the focus tests: a shop on `localhost`, a verification page on `127.0.0.1`, each with the
 * headers of the cell that is played. The pages report what happens to them and take orders, since nothing
 * drives the browser.
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
const PATIENCE_MS = 20_000;

/** A page's note with the time of its arrival, in milliseconds of `performance.now()`. */
export interface Note {
  readonly atMs: number;
  readonly words: readonly string[];
}

/** One cell on the stage. */
export interface Scene {
  readonly id: string;
  readonly cell: Cell;
  readonly notes: Note[];
  /** Counts the pages of the check that are open. */
  alivePages(): number;
  /** Resolves with the first note that begins with `word`; rejects after `patienceMs`. */
  heard(word: string, patienceMs?: number): Promise<Note>;
  /** Closes every page of the check. */
  closePages(): void;
}

export interface Stage {
  /** Returns the address where a browser starts and waits for its first scene. */
  lobby(desk: string): string;
  /** Sends the desk's shop to a new scene, and resolves once it is shown. */
  play(desk: string, cell: Cell): Promise<Scene>;
  /** Sends the desk's shop back to the lobby. */
  leave(scene: Scene): void;
  stop(): void;
}

export async function startStage(): Promise<Stage> {
  const scenes = new Map<string, LiveScene>();
  /** Answers that wait for an order, by desk. */
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
    if (url.pathname === '/lobby') return page(response, LOBBY);
    if (url.pathname === '/order') {
      const desk = url.searchParams.get('desk') ?? '';
      waiting.set(desk, response);
      // The page, or the whole browser, may be gone before there is an order.
      response.once('close', () => {
        if (waiting.get(desk) === response) waiting.delete(desk);
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
        return page(response, checkPage('Bank', 'Bank'), 'same-origin');
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

  const order = async (desk: string, href: string): Promise<void> => {
    for (const endMs = performance.now() + PATIENCE_MS; !waiting.has(desk); await sleep(20)) {
      if (performance.now() > endMs) throw new Error(`The shop of desk ${desk} takes no orders`);
    }
    const response = waiting.get(desk)!;
    waiting.delete(desk);
    send(response, 200, 'text/plain', href);
  };

  return {
    lobby: (desk) => `${shop}/lobby?desk=${desk}`,
    async play(desk, cell) {
      const scene = new LiveScene(desk, cell);
      scenes.set(scene.id, scene);
      await order(desk, `/s/${scene.id}/shop?desk=${desk}`);
      await scene.heard('ready');
      return scene;
    },
    leave(scene) {
      scene.closePages();
      const { desk } = scenes.get(scene.id)!;
      // If the page does not come back, the next scene fails and starts the browser again.
      order(desk, `/lobby?desk=${desk}`).catch(() => {});
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
  readonly desk: string;
  readonly cell: Cell;
  readonly #pages = new Set<ServerResponse>();
  #changed: () => void = () => {};

  constructor(desk: string, cell: Cell) {
    this.desk = desk;
    this.cell = cell;
  }

  add(words: string[]): void {
    this.notes.push({ atMs: performance.now(), words });
    this.#changed();
  }

  alivePages(): number {
    return this.#pages.size;
  }

  /** The answer is an order to close; until then the open request shows that the page is alive. */
  holdOpen(response: ServerResponse): void {
    this.#pages.add(response);
    response.once('close', () => this.#pages.delete(response));
  }

  closePages(): void {
    for (const response of this.#pages) send(response, 200, 'text/plain', 'close', CORS);
  }

  async heard(word: string, patienceMs = PATIENCE_MS): Promise<Note> {
    const endMs = performance.now() + patienceMs;
    for (;;) {
      const found = this.notes.find(({ words }) => words[0] === word);
      if (found) return found;
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) throw new Error(`Waited ${patienceMs} ms in vain for "${word}"`);
      await Promise.race([
        sleep(leftMs),
        new Promise<void>((resolve) => {
          this.#changed = resolve;
        }),
      ]);
    }
  }
}

/** Shows nothing, and goes where it is told. */
const TAKE_ORDERS = `fetch('/order?desk=' + new URLSearchParams(location.search).get('desk')).then((r) => r.text()).then((href) => { window.ofAge && ofAge.destroy(); location.replace(href); });`;

const LOBBY = `<!doctype html><html lang=en><title>Shop</title><h1>Lobby</h1><script>${TAKE_ORDERS}</script>`;

/** One button over the whole page, so that a real mouse cannot miss it. */
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
${TAKE_ORDERS}
</script>`;

/** Says that it is alive by a request that stays open, and closes when that is answered. */
const checkPage = (title: string, word: string, script = ''): string =>
  `<!doctype html><html lang=en><title>${title}</title><h1>${title}</h1>
<script>
const base = location.pathname.replace(/[^/]*$/, '');
const note = (...words) => fetch(base + 'note', { method: 'POST', body: JSON.stringify(words.map(String)), keepalive: true });
note('${word}');
fetch(base + 'alive').then((r) => r.text()).then(() => window.close());
${script}
</script>`;

const hostedPage = ({ hopMs, announces }: Cell): string =>
  checkPage(
    'Hosted',
    'hosted',
    `const tell = (present) => ${announces} && window.opener && opener.postMessage({ type: 'ofage:verification:presence', sessionId: new URLSearchParams(location.search).get('sessionId'), present }, '*');
tell(true);
${hopMs === undefined ? '' : `setTimeout(() => { tell(false); location.assign('bank'); }, ${hopMs});`}`,
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
