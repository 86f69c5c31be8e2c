/** What the webhook handler does with callers that call it in a wrong way, or that send slowly. */
import { Agent, type Server, createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import express from 'express';
import Fastify from 'fastify';
import Koa from 'koa';
import { H3, toNodeHandler } from 'h3';
import { Hono } from 'hono';
import type { WebhookRequest } from 'ofage/server';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../support/listen.ts';
import { setUp } from './a-webhook-handler.ts';
import { postWebhook } from './recipes/post-webhook.ts';
import { SECRET, oddText, sign, signed } from './signed-request.ts';

afterEach(() => void vi.useRealTimers());

/** Express 4 has no declarations here. */
const createExpress4 = createRequire(import.meta.url)('express-4') as typeof express;

/** A function of any framework, as JavaScript users may pass it. */
type Route = any;

const SERVERS: [name: string, open: (webhooks: Route) => Server | Promise<Server>][] = [
  ['node:http', (webhooks) => createServer(webhooks)],
  ['Express 5', (webhooks) => createServer(express().post('/webhooks/ofage', webhooks))],
  [
    'Express 5, with a raw body',
    (webhooks) =>
      createServer(express().post('/webhooks/ofage', express.raw({ type: '*/*' }), webhooks)),
  ],
  ['Express 4', (webhooks) => createServer(createExpress4().post('/webhooks/ofage', webhooks))],
  [
    'Koa',
    (webhooks) => {
      const app = new Koa();
      app.silent = true;
      return createServer(app.use(webhooks).callback());
    },
  ],
  [
    'Fastify',
    async (webhooks) => {
      const app = Fastify();
      app.post('/webhooks/ofage', webhooks);
      await app.ready();
      return app.server;
    },
  ],
  [
    'Hono',
    (webhooks) => {
      const app = new Hono().onError((_, context) => context.body(null, 500));
      return createServer(toNodeHandler(app.post('/webhooks/ofage', webhooks) as unknown as H3));
    },
  ],
  [
    'h3',
    (webhooks) =>
      createServer(toNodeHandler(new H3({ silent: true }).post('/webhooks/ofage', webhooks))),
  ],
];

describe('the handler itself as a route', () => {
  it.each(SERVERS)('of %s responds with 500 and says what to call', async (_, open) => {
    const { webhooks, events, problems, codes } = setUp();
    const server = await open(webhooks);
    const port = await listen(server);
    const text = oddText();
    const { status } = await postWebhook(port, text, signed(text).headers);
    expect(status).toBe(500);
    expect(codes()).toEqual(['request_unsupported']);
    expect(String(problems[0]?.error)).toMatch(/got an object; .*webhooks\.handle\(/);
    expect(problems[0]?.status).toBe(500);
    expect(events).toEqual([]);
  });

  it.each([undefined, null, 'x', {}, { body: '{}', headers: {} }])(
    'rejects for %j, so that AWS Lambda does not take the result for a success',
    async (event) => {
      const { webhooks, codes } = setUp();
      const promise = (webhooks as Route)(event, { awsRequestId: '1' });
      await expect(promise).rejects.toMatchObject({ code: 'request_unsupported' });
      expect(codes()).toEqual(['request_unsupported']);
    },
  );
});

describe('handle()', () => {
  it.each<[what: string, request: unknown, says: string]>([
    ['nothing', undefined, 'headers and body, got nothing'],
    ['a promise', Promise.resolve(), 'got a promise'],
    ['no headers', { method: 'POST', body: '{}' }, 'headers must be an object, got nothing'],
    ['text as headers', { method: 'POST', headers: 'x: y', body: '{}' }, 'got a string'],
    [
      'a number as the method',
      { method: 1, headers: {}, body: '{}' },
      'method must be a string, got 1',
    ],
  ])('returns 500 and says what is wrong for %s', async (_, request, says) => {
    const { webhooks, codes, problems } = setUp();
    expect((await webhooks.handle(request as WebhookRequest)).status).toBe(500);
    expect(codes()).toEqual(['request_unsupported']);
    expect(String(problems[0]?.error)).toContain(says);
  });

  const unread = () => {
    const getReader = vi.fn(() => ({ read: () => new Promise<never>(() => {}) }));
    return { getReader, body: { getReader } };
  };

  it.each([
    ['missing', {}],
    ['malformed', { 'x-ofage-signature': sign('x').slice(1) }],
    ['an empty text', { 'x-ofage-signature': '' }],
    ['doubled', { 'x-ofage-signature': [sign('x'), sign('x')] }],
  ])('does not read the body if the signature is %s', async (_, headers) => {
    const { webhooks } = setUp();
    const { getReader, body } = unread();
    expect(await webhooks.handle({ method: 'POST', headers, body })).toMatchObject({ status: 401 });
    expect(getReader).not.toHaveBeenCalled();
  });

  const slowBodies: [kind: string, body: () => NonNullable<WebhookRequest['body']>][] = [
    [
      'a web stream',
      () => new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) }),
    ],
    [
      'a stream that sends a byte each second',
      async function* () {
        for (;;) {
          yield new Uint8Array(1);
          await new Promise((resolve) => setTimeout(resolve, 1000));
        }
      },
    ],
  ];
  it.each(slowBodies)('gives up %s after ten seconds', async (_, open) => {
    vi.useFakeTimers();
    const { webhooks, codes } = setUp();
    const settled = vi.fn();
    const answer = webhooks.handle({
      method: 'POST',
      headers: { 'x-ofage-signature': sign('x') },
      body: open(),
    });
    void answer.then(settled);
    await vi.advanceTimersByTimeAsync(9999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalledTimes(1);
    // 408 counts as a temporary failure, not as a rejection.
    expect((await answer).status).toBe(408);
    expect(codes()).toEqual(['body_timeout']);
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers();
    const { webhooks } = setUp();
    const text = oddText();
    const body = new Blob([text]).stream();
    expect(
      (await webhooks.handle({ method: 'POST', headers: signed(text).headers, body })).status,
    ).toBe(204);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a connection that is kept', () => {
  it.each([
    ['too long', 413, { 'x-ofage-signature': sign('x', SECRET) }],
    ['unsigned', 401, {}],
  ])(
    'does not stop after a body that was not read, because it is %s',
    async (_, status, headers) => {
      const { webhooks } = setUp();
      const server = createServer(async (incoming, response) => {
        const { method, headers: received } = incoming;
        const answer = await webhooks.handle({ method, headers: received, body: incoming });
        response.writeHead(answer.status, answer.headers).end();
      });
      const port = await listen(server);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      const post = (body: string | Uint8Array, sent: object): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          request(
            { host: '127.0.0.1', port, method: 'POST', agent, headers: { ...sent } },
            (response) => {
              response.resume().on('end', () => resolve(response.statusCode));
            },
          )
            .on('error', reject)
            .end(body);
        });
      expect(await post('x'.repeat(5_000_000), headers)).toBe(status);
      const { body, headers: good } = signed(oddText());
      expect(await post(body, good)).toBe(204);
    },
    5000,
  );
});
