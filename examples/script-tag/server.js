import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { createClient, createWebhookHandler, deniesAccess, grantsAccess } from 'ofage/server';

const { OFAGE_PUBLISHABLE_KEY, OFAGE_SECRET_KEY, OFAGE_API_BASE, OFAGE_WEBHOOK_SECRET } =
  process.env;
// With several processes, also pass a resultStore that all share.
const ofAge = createClient({ secretKey: OFAGE_SECRET_KEY, baseUrl: OFAGE_API_BASE });
const webhooks = createWebhookHandler({
  secret: OFAGE_WEBHOOK_SECRET,
  onEvent: ({ event, data }) => console.log(`Webhook ${event} of ${data.sessionId}`),
});

const port = process.env.PORT ?? 3000;
const PAGES = { '/': 'page.html', '/return': 'return.html' };

async function isOldEnough(sessionId) {
  try {
    const result = await ofAge.validateOnce(sessionId); // asks the provider once per session
    // A real shop uses the customer who is signed in.
    return grantsAccess(result, { externalUserId: 'customer-42' });
  } catch (error) {
    if (deniesAccess(error)) return false; // the session has expired, or does not exist
    throw error;
  }
}

async function respond(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/webhooks/ofage') {
    const { method, headers } = request;
    const answer = await webhooks.handle({ method, headers, body: request });
    response.writeHead(answer.status, answer.headers).end();
  } else if (pathname === '/age-check') {
    const { sessionId } = await json(request);
    response.end(JSON.stringify({ access: await isOldEnough(sessionId) }));
  } else if (pathname in PAGES) {
    const html = await readFile(PAGES[pathname], 'utf8');
    response.setHeader('content-type', 'text/html');
    response.end(html.replace('PUBLISHABLE_KEY', OFAGE_PUBLISHABLE_KEY));
  } else {
    response.writeHead(404).end();
  }
}

createServer((request, response) => {
  respond(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end();
  });
}).listen(port, () => console.log(`The shop is at http://localhost:${port}`));
