import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RawBody, createWebhookHandler } from 'ofage/server';
import rawBody from 'raw-body';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { postInPieces, postWebhook } from './post-webhook.ts';
import { RECIPES } from './recipe-servers.ts';
import { SECRET, oddText, sign, signed } from '../signed-request.ts';

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

let count = 0;
const freshText = (): string => oddText({ eventId: `recipe-${(count += 1)}` });

const log = vi.spyOn(console, 'log').mockImplementation(() => {});
const problems = vi.spyOn(console, 'error').mockImplementation(() => {});
const handled = (): number => log.mock.calls.length;

beforeAll(() => void vi.stubEnv('OFAGE_WEBHOOK_SECRET', SECRET));
beforeEach(() => {
  log.mockClear();
  problems.mockClear();
});
afterAll(() => {
  vi.unstubAllEnvs();
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

  it('acknowledges a copy without handling it again', async () => {
    const text = freshText();
    const { headers } = signed(text);
    expect((await postWebhook(port, text, headers)).status).toBe(204);
    expect((await postWebhook(port, text, headers)).status).toBe(204);
    expect(handled()).toBe(1);
  });

  it('accepts a chunked body without content-length', async () => {
    const text = freshText();
    const { headers } = signed(text);
    const { status } = await postInPieces(port, [text.slice(0, 40), text.slice(40)], headers);
    expect(status).toBe(204);
    expect(handled()).toBe(1);
  });

  it.each([
    {
      why: 'a changed body',
      change: (text: string) => ({ text: text.replace('user-42', 'user-43'), header: sign(text) }),
      code: 'signature_mismatch',
    },
    {
      why: 'a body with changed white space',
      change: (text: string) => ({ text: text.replace(': {', ' :{'), header: sign(text) }),
      code: 'signature_mismatch',
    },
    {
      why: 'a body that was parsed and serialized again',
      change: (text: string) => ({ text: JSON.stringify(JSON.parse(text)), header: sign(text) }),
      code: 'signature_mismatch',
    },
    {
      why: 'a signature with another secret',
      change: (text: string) => ({ text, header: sign(text, 'another') }),
      code: 'signature_mismatch',
    },
    {
      why: 'a missing signature',
      change: (text: string) => ({ text, header: undefined }),
      code: 'signature_missing',
    },
    {
      why: 'a signature without its prefix',
      change: (text: string) => ({ text, header: sign(text).slice(7) }),
      code: 'signature_malformed',
    },
  ])('rejects $why with 401 and logs the reason only on the server', async ({ change, code }) => {
    const { text, header } = change(freshText());
    const answer = await postWebhook(port, text, header ? { 'x-ofage-signature': header } : {});
    expect(answer.status).toBe(401);
    expect(answer.text).toMatch(/^(Unauthorized)?$/); // Koa sends the status text as body
    expect(handled()).toBe(0);
    // The reason is in the merchant's log.
    expect(problems.mock.calls).toHaveLength(1);
    const { message } = { message: String(problems.mock.calls[0]) };
    expect(message).toMatch(REASONS[code] ?? /never/);
  });

  it('rejects a body that is too long with 413', async () => {
    const long = 'x'.repeat(1_100_000);
    const { status } = await postWebhook(port, long, { 'x-ofage-signature': sign(long) });
    expect(status).toBe(413);
  });
});

const REASONS: Record<string, RegExp> = {
  signature_mismatch: /the signature does not match the body/,
  signature_missing: /has no x-ofage-signature header/,
  signature_malformed: /must be "sha256=" and 64 lowercase/,
};

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

describe('handle()', () => {
  const open = (read: (incoming: IncomingMessage) => Promise<RawBody>) => {
    const webhooks = createWebhookHandler({
      secret: SECRET,
      onEvent: (event) => console.log(event.event, event.data.sessionId),
    });
    return createServer(async (incoming, response) => {
      const { method, headers } = incoming;
      const answer = await webhooks.handle({ method, headers, body: await read(incoming) });
      response.writeHead(answer.status, answer.headers).end();
    });
  };

  it.each([
    { why: 'raw-body', status: 204, read: (incoming: IncomingMessage) => rawBody(incoming) },
    {
      why: 'raw-body with an encoding',
      status: 204,
      read: (incoming: IncomingMessage) => rawBody(incoming, 'utf8'),
    },
    {
      why: 'a parser that has already consumed the stream',
      status: 500,
      read: async (incoming: IncomingMessage) => {
        await rawBody(incoming);
        return incoming;
      },
    },
    {
      why: 'a parsed object that is serialized again',
      status: 500,
      read: async (incoming: IncomingMessage) =>
        JSON.stringify(JSON.parse(await rawBody(incoming, 'utf8'))),
    },
    {
      why: 'a stream of text',
      status: 204,
      read: async (incoming: IncomingMessage) => incoming.setEncoding('utf8'),
    },
  ])('responds with $status to a body from $why', async ({ status, read }) => {
    const server = open(read);
    const port = await listen(server);
    const text = freshText();
    const answer = await postWebhook(port, text, signed(text).headers);
    server.close();
    expect(answer.status).toBe(status);
    expect(handled()).toBe(status === 204 ? 1 : 0);
    if (status === 500) expect(String(problems.mock.calls[0])).toMatch(/has read the body before/);
  });
});

describe('docs/guides/webhooks.md', () => {
  const root = new URL('../../../', import.meta.url);
  const fences = [
    ...readFileSync(new URL('docs/guides/webhooks.md', root), 'utf8').matchAll(
      /^```ts\n([\s\S]*?)^```$/gm,
    ),
  ].map((match) => match[1] ?? '');
  const folder = new URL('test/server/recipes/snippets/', root);
  const snippets = readdirSync(folder).sort();

  it.each(snippets)('contains %s unchanged', (name) => {
    expect(fences).toContain(readFileSync(new URL(name, folder), 'utf8'));
  });

  it('contains no TypeScript code other than these snippets', () => {
    const known = snippets.map((name) => readFileSync(new URL(name, folder), 'utf8'));
    expect(fences.filter((fence) => !known.includes(fence))).toEqual([]);
    expect(fences.length).toBe(known.length);
  });
});
