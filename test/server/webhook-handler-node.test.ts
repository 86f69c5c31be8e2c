import { describe, expect, it } from 'vitest';
import { oddText, sign, signed, toRequest } from './signed-request.ts';
import { setUp } from './a-webhook-handler.ts';

describe('handle() for servers that are not Fetch-style', () => {
  const text = oddText();
  const { headers } = signed(text);
  const bytes = new TextEncoder().encode(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }

  it.each([
    { why: 'bytes', body: bytes },
    { why: 'Buffer', body: Buffer.from(text) },
    { why: 'ArrayBuffer', body: bytes.slice().buffer },
    { why: 'text', body: text },
    { why: 'a stream of Node', body: pieces() },
    { why: 'a stream of the web', body: new Blob([text]).stream() },
  ])('takes $why', async ({ body }) => {
    const { webhooks, events } = setUp();
    expect(await webhooks.handle({ method: 'POST', headers, body })).toEqual({
      status: 204,
      headers: {},
    });
    expect(events).toHaveLength(1);
  });

  const value = sign(text);
  it.each([
    { why: 'Headers', headers: new Headers({ 'X-OfAge-Signature': value }), status: 204 },
    { why: 'lower case, as in Node', headers: { 'x-ofage-signature': value }, status: 204 },
    { why: 'as in API gateways', headers: { 'X-OfAge-Signature': value }, status: 204 },
    { why: 'a list of one', headers: { 'x-ofage-signature': [value] }, status: 204 },
    { why: 'a list of two', headers: { 'x-ofage-signature': [value, value] }, status: 401 },
    { why: 'none', headers: {}, status: 401 },
    { why: 'undefined', headers: { 'x-ofage-signature': undefined }, status: 401 },
  ])('finds the signature in headers: $why', async ({ headers, status }) => {
    const { webhooks } = setUp();
    expect((await webhooks.handle({ method: 'POST', headers, body: text })).status).toBe(status);
  });

  it.each([
    { why: 'nothing', body: undefined },
    { why: 'null', body: null },
    { why: 'a parsed body', body: JSON.parse(text) as Uint8Array },
    { why: 'a stream of objects', body: (async function* () { yield JSON.parse(text); })() }, // prettier-ignore
  ])('500 and body_not_raw: $why', async ({ body }) => {
    const { webhooks, codes } = setUp();
    expect((await webhooks.handle({ method: 'POST', headers, body })).status).toBe(500);
    expect(codes()).toEqual(['body_not_raw']);
  });

  it.each([undefined, null])(
    '401 to %s without a signature, as a parser leaves it',
    async (body) => {
      const { webhooks, codes } = setUp();
      expect((await webhooks.handle({ method: 'POST', headers: {}, body })).status).toBe(401);
      expect(codes()).toEqual(['signature_missing']);
    },
  );

  it.each([
    { why: 'read before', body: '', status: 500, code: 'body_not_raw' },
    {
      why: 'written again',
      body: JSON.stringify(JSON.parse(text)),
      status: 500,
      code: 'body_not_raw',
    },
    {
      why: 'changed by a stranger',
      body: text.replace('42', '43'),
      status: 401,
      code: 'signature_mismatch',
    },
  ])('tells a body that was $why by its length: $status', async ({ body, status, code }) => {
    const { webhooks, codes } = setUp();
    const announced = { ...headers, 'content-length': String(bytes.length) };
    expect((await webhooks.handle({ method: 'POST', headers: announced, body })).status).toBe(
      status,
    );
    expect(codes()).toEqual([code]);
  });

  it('accepts a good signature whatever content-length says', async () => {
    const { webhooks } = setUp();
    const announced = { ...headers, 'content-length': '1' };
    expect((await webhooks.handle({ method: 'POST', headers: announced, body: text })).status).toBe(
      204,
    );
  });

  it('takes a Request in a browser that has no streams in requests', async () => {
    const { webhooks, events } = setUp();
    const request = toRequest(signed(text));
    Object.defineProperty(request, 'body', { value: undefined });
    expect((await webhooks(request)).status).toBe(204);
    expect(events).toHaveLength(1);
  });

  it('500 when the stream breaks, and 500 for a Request that was read before', async () => {
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

  it('413 to a body in memory that is too long', async () => {
    const { webhooks } = setUp({ maxBodyBytes: 262_144 });
    const body = text.padStart(262_145);
    expect((await webhooks.handle({ method: 'POST', ...signed(body) })).status).toBe(413);
  });

  it('leaves a stream that is too long alone, so that the socket can still be answered', async () => {
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
