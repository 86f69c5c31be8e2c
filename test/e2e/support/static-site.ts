/** Serves built files like a static web host, below a path. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BELOW = '/some/path/';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface SentFile {
  readonly path: string;
  /** The size of the file, or 0 if it has not been sent. */
  bytes: number;
}

export interface StaticSite {
  /** The address of the site, with a slash at the end. */
  readonly url: string;
  /** The files that were requested so far, in order. Nothing is compressed. */
  readonly sent: readonly SentFile[];
  stop(): void;
}

/** @param folder A folder of the repository. @default the static playground */
export async function startStaticSite(folder = 'dist-static'): Promise<StaticSite> {
  const sent: SentFile[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const inside = pathname.startsWith(BELOW) ? normalize(pathname.slice(BELOW.length)) : '..';
    const file = inside.endsWith('/') || inside === '.' ? join(inside, 'index.html') : inside;
    const entry = { path: pathname, bytes: 0 };
    sent.push(entry);
    readFile(join(ROOT, folder, file)).then(
      (bytes) => {
        response.writeHead(200, {
          'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        });
        response.end(bytes);
        entry.bytes = bytes.length;
      },
      () => response.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}${BELOW}`,
    sent,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
