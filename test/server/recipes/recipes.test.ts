import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findCodeBlocks } from '../../support/code-blocks.ts';
import { postInPieces, postWebhook } from './post-webhook.ts';
import { RECIPES } from './recipe-servers.ts';
import { SECRET, oddText, sign, signed } from '../signed-request.ts';

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

let count = 0;
function freshText(): string {
  count += 1;
  return oddText({ eventId: `recipe-${count}` });
}

const log = vi.spyOn(console, 'log').mockImplementation(() => {});
const problems = vi.spyOn(console, 'error').mockImplementation(() => {});
const handled = (): number => log.mock.calls.length;

beforeAll(() => {
  vi.stubEnv('OFAGE_WEBHOOK_SECRET', SECRET);
  // Hono's server replaces both, and in a later file of this worker h3 would not recognise its own responses.
  for (const name of ['Request', 'Response'] as const) vi.stubGlobal(name, globalThis[name]);
});
beforeEach(() => {
  log.mockClear();
  problems.mockClear();
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe.each(RECIPES)('the recipe for $name', ({ open }) => {
  let server: Server;
  let port = 0;
  beforeAll(async () => {
    server = await open();
    port = await listen(server);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('handles an event whose bytes differ from the output of JSON.stringify', async () => {
    const text = freshText();
    expect(JSON.stringify(JSON.parse(text))).not.toBe(text);
    const { status, text: answer } = await postWebhook(port, text, signed(text).headers);
    expect({ status, answer }).toEqual({ status: 204, answer: '' });
    expect(log.mock.calls).toEqual([['verification.completed', expect.any(String)]]);
    expect(problems).not.toHaveBeenCalled();
  });

  it('accepts a chunked body without content-length', async () => {
    const text = freshText();
    const { headers } = signed(text);
    const { status } = await postInPieces(port, [text.slice(0, 40), text.slice(40)], headers);
    expect(status).toBe(204);
    expect(handled()).toBe(1);
  });

  it('rejects a body with changed white space with 401, and logs the reason only on the server', async () => {
    const text = freshText();
    const headers = { 'x-ofage-signature': sign(text) };
    const answer = await postWebhook(port, text.replace(': {', ' :{'), headers);
    expect(answer.status).toBe(401);
    expect(answer.text).toMatch(/^(Unauthorized)?$/); // Koa sends the status text as body
    expect(handled()).toBe(0);
    expect(problems.mock.calls).toHaveLength(1);
    expect(String(problems.mock.calls[0])).toMatch(/the signature does not match the body/);
  });

  it('rejects a body that is too long with 413', async () => {
    const long = 'x'.repeat(1_100_000);
    const { status } = await postWebhook(port, long, { 'x-ofage-signature': sign(long) });
    expect(status).toBe(413);
  });
});

describe('a body parser before the handler', () => {
  it('causes a 500, which the service retries, with the reason in the log (express.json())', async () => {
    const server = createServer((await import('./snippets/express-wrong.ts')).app);
    const port = await listen(server);
    const text = freshText();
    const answer = await postWebhook(port, text, signed(text).headers);
    server.close();
    expect(answer).toMatchObject({ status: 500, text: '' });
    expect(handled()).toBe(0);
    expect(String(problems.mock.calls[0])).toMatch(
      /responded with 500:.*raw bytes of the request body.*got an object; a parsed body cannot be checked/,
    );
  });
});

it('docs/guides/webhooks.md contains these snippets unchanged, and no other TypeScript', () => {
  const folder = new URL('snippets/', import.meta.url);
  const snippets = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const guide = readFileSync(new URL('../../../docs/guides/webhooks.md', import.meta.url), 'utf8');
  const blocks = findCodeBlocks(guide).filter(({ language }) => language === 'ts');
  expect(blocks.map(({ code }) => code).toSorted()).toEqual(snippets.toSorted());
});
