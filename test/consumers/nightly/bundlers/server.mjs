// Serves the pages in out/, and the routes of the shop.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { checkAge, webhooks } from './fetch-shop.ts';

const toHtml = (page) => `<!doctype html><html lang="en"><meta charset="utf-8">
<link rel="icon" href="data:,"><button>Verify my age</button><output></output>
<script type="module" src="/out/${page}.js"></script></html>`;

const ROUTES = { '/age-check': checkAge, '/webhooks/ofage': webhooks };

const server = createServer(async (incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const route = ROUTES[url];
  if (method === 'POST' && route !== undefined) {
    const body = Readable.toWeb(incoming);
    const request = new Request(`http://localhost${url}`, {
      method,
      headers,
      body,
      duplex: 'half',
    });
    const response = await route(request);
    return outgoing
      .writeHead(response.status, { 'content-type': 'application/json' })
      .end(await response.text());
  }
  if (url.startsWith('/out/')) {
    return outgoing
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end(readFileSync(`.${url}`));
  }
  const page = url === '/' ? 'shop' : url.slice(1);
  return outgoing.writeHead(200, { 'content-type': 'text/html' }).end(toHtml(page));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
