import type { RawBody, WebhookRequest } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { setUp } from './a-webhook-handler.ts';
import { oddText, sign, signed, toRequest } from './signed-request.ts';

describe('createWebhookHandler() with the bodies and headers of different servers', () => {
  const text = oddText();
  const { headers } = signed(text);
  const bytes = new TextEncoder().encode(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }

  async function* texts(): AsyncGenerator<string> {
    yield* [text.slice(0, 40), text.slice(40)];
  }

  // webhooks.test.ts has the types of a body in memory.
  it.each<[what: string, body: unknown]>([
    ['a Buffer', Buffer.from(text)],
    ['an async iterable, such as a Node stream', pieces()],
    ['an async iterable of text, such as a Node stream with an encoding', texts()],
    ['a web stream', new Blob([text]).stream()],
  ])('accepts %s as body', async (_, body) => {
    const { webhooks, events } = setUp();
    const request = { method: 'POST', headers, body: body as RawBody };
    expect(await webhooks.handle(request)).toEqual({ status: 204, headers: {} });
    expect(events).toHaveLength(1);
  });

  const value = sign(text);
  it.each<[what: string, status: number, headers: WebhookRequest['headers']]>([
    ['a Headers object', 204, new Headers({ 'X-OfAge-Signature': value })],
    ['lower-case names, as in Node', 204, { 'x-ofage-signature': value }],
    ['mixed-case names, as in API gateways', 204, { 'X-OfAge-Signature': value }],
    ['an array with one value', 204, { 'x-ofage-signature': [value] }],
    ['an array with two values', 401, { 'x-ofage-signature': [value, value] }],
    ['no header', 401, {}],
    ['an undefined value', 401, { 'x-ofage-signature': undefined }],
  ])('has this status for headers with %s: %i', async (_, status, sent) => {
    const { webhooks } = setUp();
    const request = { method: 'POST', headers: sent, body: text };
    expect((await webhooks.handle(request)).status).toBe(status);
  });

  async function* objects(): AsyncGenerator<Uint8Array> {
    yield JSON.parse(text) as Uint8Array;
  }
  it.each<[what: string, body: RawBody | null | undefined, says: string]>([
    ['undefined', undefined, 'got nothing; this server has not read the body, or'],
    ['null', null, 'got null; this server has not read the body, or'],
    ['a parsed body', JSON.parse(text) as Uint8Array, 'got an object; a parsed body'],
    ['a stream of objects', objects(), 'got an object; a parsed body'],
  ])('returns 500 and reports body_not_raw for %s', async (_, body, says) => {
    const { webhooks, codes, problems } = setUp();
    expect((await webhooks.handle({ method: 'POST', headers, body })).status).toBe(500);
    expect(codes()).toEqual(['body_not_raw']);
    expect(String(problems[0]?.error)).toContain(says);
  });

  it.each([undefined, null])(
    'returns 401 if the body is %s, as some parsers leave it, and the signature is missing',
    async (body) => {
      const { webhooks, codes } = setUp();
      expect((await webhooks.handle({ method: 'POST', headers: {}, body })).status).toBe(401);
      expect(codes()).toEqual(['signature_missing']);
    },
  );

  it.each([
    ['already consumed', 500, 'body_not_raw', ''],
    ['serialized again', 500, 'body_not_raw', JSON.stringify(JSON.parse(text))],
    ['changed by an attacker', 401, 'signature_mismatch', text.replace('42', '43')],
  ])(
    'reads content-length, and has this status for a body that was %s: %i',
    async (_, status, code, body) => {
      const { webhooks, codes } = setUp();
      const announced = { ...headers, 'content-length': String(bytes.length) };
      const request = { method: 'POST', headers: announced, body };
      expect((await webhooks.handle(request)).status).toBe(status);
      expect(codes()).toEqual([code]);
    },
  );

  it('accepts a valid signature despite a wrong content-length', async () => {
    const { webhooks } = setUp();
    const announced = { ...headers, 'content-length': '1' };
    expect((await webhooks.handle({ method: 'POST', headers: announced, body: text })).status).toBe(
      204,
    );
  });

  it('accepts a Request in a browser without request streams', async () => {
    const { webhooks, events } = setUp();
    const request = toRequest(signed(text));
    Object.defineProperty(request, 'body', { value: undefined });
    expect((await webhooks(request)).status).toBe(204);
    expect(events).toHaveLength(1);
  });

  it('returns 500 for a stream that breaks and for a Request that was already read', async () => {
    const { webhooks, codes, problems } = setUp();
    const broken = (async function* () {
      yield bytes.subarray(0, 9);
      throw new Error('socket hang up');
    })();
    expect((await webhooks.handle({ method: 'POST', headers, body: broken })).status).toBe(500);
    expect(problems[0]?.error).toMatchObject({ message: 'socket hang up' });
    const request = toRequest(signed(text));
    await request.text();
    expect((await webhooks(request)).status).toBe(500);
    expect(codes()[1]).toBe('body_not_raw');
  });

  it('returns 413 for a body in memory that is too long', async () => {
    const { webhooks } = setUp({ maxBodyBytes: 262_144 });
    const body = text.padStart(262_145);
    expect((await webhooks.handle({ method: 'POST', ...signed(body) })).status).toBe(413);
  });

  it('does not destroy a stream that is too long, so that the socket can still respond', async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(1000);
      } finally {
        ended = true;
      }
    }
    const { webhooks } = setUp({ maxBodyBytes: 262_144 });
    const { status } = await webhooks.handle({ method: 'POST', headers, body: endless() });
    expect({ status, ended }).toEqual({ status: 413, ended: false });
  });
});
