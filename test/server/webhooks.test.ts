import * as octokit from '@octokit/webhooks-methods';
import * as fc from 'fast-check';
import { WEBHOOK_SIGNATURE_HEADER, isOfAgeError, verifyWebhook } from 'ofage/server';
import { describe, expect, it, vi } from 'vitest';
import { eventBody } from './builders.ts';
import { SECRET, sign } from './signed-request.ts';

// JSON.stringify(JSON.parse(…)) would not reproduce this text: spaces, an escape and the number 25.0.
const BODY = JSON.stringify(eventBody({}, { externalUserId: 'jose\u0301 \u{1f600}' }))
  .replaceAll(':{', ' : {')
  .replace('"challengeAge":25', '"challengeAge":25.0')
  .replace('tenant-1', '\\u0074enant-1');

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    if (isOfAgeError(error)) return error.code;
    throw error;
  }
  return 'accepted';
};

describe('verifyWebhook() accepts the raw body as', () => {
  const bytes = new TextEncoder().encode(BODY);
  const padded = new Uint8Array(bytes.length + 20);
  padded.set(bytes, 7);
  it.each([
    { why: 'a string', body: BODY },
    { why: 'a Uint8Array', body: bytes },
    { why: "Node's Buffer", body: Buffer.from(BODY) },
    { why: 'an ArrayBuffer', body: bytes.slice().buffer },
    { why: 'a view into a larger buffer', body: padded.subarray(7, 7 + bytes.length) },
    { why: 'shared memory', body: new Uint8Array(new SharedArrayBuffer(bytes.length)), fill: true },
  ])('$why', async ({ body, fill }) => {
    if (fill === true) (body as Uint8Array).set(bytes);
    const event = await verifyWebhook(body, sign(BODY), SECRET);
    expect(event).toEqual(eventBody({}, { externalUserId: 'jose\u0301 \u{1f600}' }));
  });

  it('bytes, and parses the verified bytes even if the buffer changes meanwhile', async () => {
    const buffer = new TextEncoder().encode(BODY);
    const pending = verifyWebhook(buffer, sign(BODY), SECRET);
    buffer.set(new TextEncoder().encode(JSON.stringify(eventBody({ tenantId: 'evil' }))));
    expect((await pending).tenantId).toBe('tenant-1');
  });
});

describe('verifyWebhook() rejects a body that is not raw,', () => {
  it.each([
    { why: 'a parsed body', body: JSON.parse(BODY) as unknown },
    { why: 'undefined', body: undefined },
    { why: 'null', body: null },
    { why: 'an array of numbers', body: [123, 125] },
    { why: 'a Request', body: new Request('https://shop.example', { method: 'POST', body: '{}' }) },
    { why: 'an object with the properties of a buffer', body: { byteLength: 2, buffer: [] } },
  ])('such as $why', async ({ body }) => {
    const call = verifyWebhook(body as string, sign(BODY), SECRET);
    await expect(call).rejects.toMatchObject({ code: 'body_not_raw' });
    await expect(call).rejects.toThrow(/raw bytes of the request body/);
  });
});

describe('verifyWebhook() with different headers', () => {
  const good = sign(BODY);
  const hex = good.slice('sha256='.length);
  it.each([
    { why: 'undefined', header: undefined, code: 'signature_missing' },
    { why: 'null, as Headers.get returns it', header: null, code: 'signature_missing' },
    { why: 'empty', header: '', code: 'signature_missing' },
    { why: 'no prefix', header: hex, code: 'signature_malformed' },
    {
      why: 'capitals in the digest',
      header: `sha256=${hex.toUpperCase()}`,
      code: 'signature_malformed',
    },
    { why: 'capitals in the prefix', header: `SHA256=${hex}`, code: 'signature_malformed' },
    { why: 'another hash', header: `sha1=${hex}`, code: 'signature_malformed' },
    { why: 'a digit too few', header: good.slice(0, -1), code: 'signature_malformed' },
    { why: 'a digit too many', header: `${good}0`, code: 'signature_malformed' },
    { why: 'a line break at the end', header: `${good}\n`, code: 'signature_malformed' },
    { why: 'a space at the start', header: ` ${good}`, code: 'signature_malformed' },
    {
      why: 'two signatures in one header',
      header: `${good}, ${good}`,
      code: 'signature_malformed',
    },
    { why: 'an array of headers', header: [good], code: 'signature_malformed' },
    {
      why: 'base64',
      header: `sha256=${Buffer.from(hex, 'hex').toString('base64')}`,
      code: 'signature_malformed',
    },
    { why: 'only the prefix', header: 'sha256=', code: 'signature_malformed' },
    { why: 'the digest of an empty body', header: sign(''), code: 'signature_mismatch' },
    { why: 'zeros', header: `sha256=${'0'.repeat(64)}`, code: 'signature_mismatch' },
    { why: 'the right signature', header: good, code: 'accepted' },
  ])('has the result $code: $why', async ({ header, code }) => {
    expect(await codeOf(verifyWebhook(BODY, header as string, SECRET))).toBe(code);
  });
});

it('WEBHOOK_SIGNATURE_HEADER is the header name in lower case', () => {
  expect(WEBHOOK_SIGNATURE_HEADER).toBe('x-ofage-signature');
});

describe('verifyWebhook() with different secrets', () => {
  it.each([
    { why: 'an empty secret', secret: '', code: 'webhook_secret_required' },
    { why: 'undefined', secret: undefined, code: 'webhook_secret_required' },
    { why: 'an empty array', secret: [], code: 'webhook_secret_required' },
    { why: 'an empty secret among others', secret: [SECRET, ''], code: 'webhook_secret_required' },
    {
      why: 'an undefined secret among others',
      secret: [SECRET, undefined],
      code: 'webhook_secret_required',
    },
    { why: 'another secret', secret: 'another', code: 'signature_mismatch' },
    { why: 'a space at the end', secret: `${SECRET} `, code: 'signature_mismatch' },
    { why: 'two other secrets', secret: ['another', 'third'], code: 'signature_mismatch' },
    { why: 'the new and the old secret', secret: ['new', SECRET], code: 'accepted' },
    { why: 'the old and the new secret', secret: [SECRET, 'new'], code: 'accepted' },
  ])('has the result $code: $why', async ({ secret, code }) => {
    expect(await codeOf(verifyWebhook(BODY, sign(BODY), secret as string))).toBe(code);
  });

  it('rejects an empty secret even if the sender signed with it', async () => {
    expect(await codeOf(verifyWebhook(BODY, sign(BODY, ''), ''))).toBe('webhook_secret_required');
  });

  it('does not print the secret in its error', async () => {
    const error = await verifyWebhook(BODY, sign(BODY, 'x'), SECRET).catch(String);
    expect(error).toContain('signature does not match');
    expect(error).not.toContain(SECRET);
  });
});

it('verifyWebhook() rejects with unsupported_environment in a runtime without Web Crypto', async () => {
  vi.stubGlobal('crypto', {});
  try {
    expect(await codeOf(verifyWebhook(BODY, sign(BODY), SECRET))).toBe('unsupported_environment');
  } finally {
    vi.unstubAllGlobals();
  }
});

describe('verifyWebhook() rejects a request after a change of', () => {
  const bytes = new TextEncoder().encode(BODY);

  it('any one byte of the body', async () => {
    const change = fc.record({
      at: fc.integer({ min: 0, max: bytes.length - 1 }),
      mask: fc.integer({ min: 1, max: 255 }),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ at, mask }) => {
        const changed = bytes.slice();
        changed[at] = (changed[at] ?? 0) ^ mask;
        expect(await codeOf(verifyWebhook(changed, sign(BODY), SECRET))).toBe('signature_mismatch');
      }),
      { numRuns: 500 },
    );
  });

  it('the length: bytes inserted into or removed from the body', async () => {
    const edit = fc.record({
      at: fc.nat(bytes.length),
      insert: fc.uint8Array({ minLength: 0, maxLength: 3 }),
      remove: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(edit, async ({ at, insert, remove }) => {
        const changed = Buffer.concat([bytes.slice(0, at), insert, bytes.slice(at + remove)]);
        fc.pre(!changed.equals(bytes));
        expect(await codeOf(verifyWebhook(changed, sign(BODY), SECRET))).toBe('signature_mismatch');
      }),
      { numRuns: 300 },
    );
  });

  it('any one character of the header', async () => {
    const good = sign(BODY);
    const change = fc.record({
      at: fc.integer({ min: 0, max: good.length - 1 }),
      character: fc.oneof(
        fc.constantFrom(...'0123456789abcdefABCDEF'),
        fc.string({ maxLength: 2 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ at, character }) => {
        const changed = good.slice(0, at) + character + good.slice(at + 1);
        fc.pre(changed !== good);
        const code = await codeOf(verifyWebhook(BODY, changed, SECRET));
        expect(code).toMatch(/^signature_(malformed|mismatch)$/);
      }),
      { numRuns: 500 },
    );
  });

  it('the formatting, because the body was parsed and serialized again', async () => {
    const rewritten = JSON.stringify(JSON.parse(BODY));
    expect(rewritten).not.toBe(BODY);
    expect(await codeOf(verifyWebhook(rewritten, sign(BODY), SECRET))).toBe('signature_mismatch');
  });
});

describe('verifyWebhook(), compared with @octokit/webhooks-methods,', () => {
  const secrets = fc.string({ unit: 'grapheme', minLength: 1 });
  const users = fc.string({ unit: 'grapheme' });

  it('accepts the signatures of that library', async () => {
    await fc.assert(
      fc.asyncProperty(secrets, users, async (secret, externalUserId) => {
        const body = JSON.stringify(eventBody({}, { externalUserId }));
        const event = await verifyWebhook(body, await octokit.sign(secret, body), secret);
        expect(event.data.externalUserId).toBe(externalUserId);
      }),
      { numRuns: 100 },
    );
  });

  it('rejects changed bytes, as that library does', async () => {
    const header = await octokit.sign(SECRET, BODY);
    const changed = BODY.replace('user', 'uses')
      .replace('tenant-1', 'tenant-2')
      .replace(' : {', ' :{');
    expect(changed).not.toBe(BODY);
    expect(await octokit.verify(SECRET, changed, header)).toBe(false);
    expect(await codeOf(verifyWebhook(changed, header, SECRET))).toBe('signature_mismatch');
  });
});
