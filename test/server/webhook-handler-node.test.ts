import { describe, expect, it } from 'vitest';
import { oddText, sign, signed, toRequest } from './signed-request.ts';
import { setUp } from './a-webhook-handler.ts';

describe('createWebhookHandler() with the bodies and headers of different servers', () => {
  const text = oddText();
  const { headers } = signed(text);
  const bytes = new TextEncoder().encode(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }

  it.each([
    { why: 'a Uint8Array', body: bytes },
    { why: 'a Buffer', body: Buffer.from(text) },
    { why: 'an ArrayBuffer', body: bytes.slice().buffer },
    { why: 'a string', body: text },
    { why: 'an async iterable, such as a Node stream', body: pieces() },
    { why: 'a web stream', body: new Blob([text]).stream() },
  ])('accepts $why as body', async ({ body }) => {
    const { webhooks, events } = setUp();
    expect(await webhooks.handle({ method: 'POST', headers, body })).toEqual({
      status: 204,
      headers: {},
    });
    expect(events).toHaveLength(1);
  });

  const value = sign(text);
  it.each([
    { why: 'a Headers object', headers: new Headers({ 'X-OfAge-Signature': value }), status: 204 },
    { why: 'lower-case names, as in Node', headers: { 'x-ofage-signature': value }, status: 204 },
    {
      why: 'mixed-case names, as in API gateways',
      headers: { 'X-OfAge-Signature': value },
      status: 204,
    },
    { why: 'an array with one value', headers: { 'x-ofage-signature': [value] }, status: 204 },
    {
      why: 'an array with two values',
      headers: { 'x-ofage-signature': [value, value] },
      status: 401,
    },
    { why: 'no header', headers: {}, status: 401 },
    { why: 'an undefined value', headers: { 'x-ofage-signature': undefined }, status: 401 },
  ])('returns $status for these headers: $why', async ({ headers, status }) => {
    const { webhooks } = setUp();
    expect((await webhooks.handle({ method: 'POST', headers, body: text })).status).toBe(status);
  });

  it.each([
    { why: 'undefined', body: undefined },
    { why: 'null', body: null },
    { why: 'a parsed body', body: JSON.parse(text) as Uint8Array },
    { why: 'a stream of objects', body: (async function* () { yield JSON.parse(text); })() }, // prettier-ignore
  ])('returns 500 and reports body_not_raw for $why', async ({ body }) => {
    const { webhooks, codes } = setUp();
    expect((await webhooks.handle({ method: 'POST', headers, body })).status).toBe(500);
    expect(codes()).toEqual(['body_not_raw']);
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
    { why: 'already consumed', body: '', status: 500, code: 'body_not_raw' },
    {
      why: 'serialized again',
      body: JSON.stringify(JSON.parse(text)),
      status: 500,
      code: 'body_not_raw',
    },
    {
      why: 'changed by an attacker',
      body: text.replace('42', '43'),
      status: 401,
      code: 'signature_mismatch',
    },
  ])(
    'reads content-length and returns $status for a body that was $why',
    async ({ body, status, code }) => {
      const { webhooks, codes } = setUp();
      const announced = { ...headers, 'content-length': String(bytes.length) };
      expect((await webhooks.handle({ method: 'POST', headers: announced, body })).status).toBe(
        status,
      );
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
