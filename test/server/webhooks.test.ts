import * as fc from 'fast-check';
import { isOfAgeError, verifyWebhook } from 'ofage/server';
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
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  it.each<[what: string, body: string | Uint8Array | ArrayBuffer]>([
    ['a string', BODY],
    ['a Uint8Array', bytes],
    ["Node's Buffer", Buffer.from(BODY)],
    ['an ArrayBuffer', bytes.slice().buffer],
    ['a view into a larger buffer', padded.subarray(7, 7 + bytes.length)],
    ['shared memory', shared],
  ])('%s', async (_, body) => {
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
  it.each<[why: string, header: unknown, code: string]>([
    ['undefined', undefined, 'signature_missing'],
    ['null, as Headers.get returns it', null, 'signature_missing'],
    ['empty', '', 'signature_missing'],
    ['no prefix', hex, 'signature_malformed'],
    ['capitals in the digest', `sha256=${hex.toUpperCase()}`, 'signature_malformed'],
    ['capitals in the prefix', `SHA256=${hex}`, 'signature_malformed'],
    ['another hash', `sha1=${hex}`, 'signature_malformed'],
    ['a digit too few', good.slice(0, -1), 'signature_malformed'],
    ['a digit too many', `${good}0`, 'signature_malformed'],
    ['a line break at the end', `${good}\n`, 'signature_malformed'],
    ['a space at the start', ` ${good}`, 'signature_malformed'],
    ['two signatures in one header', `${good}, ${good}`, 'signature_malformed'],
    ['an array of headers', [good], 'signature_malformed'],
    ['only the prefix', 'sha256=', 'signature_malformed'],
    ['the digest of an empty body', sign(''), 'signature_mismatch'],
    ['the right signature', good, 'accepted'],
  ])('has the result $2: $0', async (_, header, code) => {
    expect(await codeOf(verifyWebhook(BODY, header as string, SECRET))).toBe(code);
  });
});

describe('verifyWebhook() with different secrets', () => {
  const required = 'webhook_secret_required';
  it.each<[why: string, secret: unknown, code: string]>([
    ['an empty secret', '', required],
    ['undefined', undefined, required],
    ['an empty array', [], required],
    ['an empty secret among others', [SECRET, ''], required],
    ['an undefined secret among others', [SECRET, undefined], required],
    ['another secret', 'another', 'signature_mismatch'],
    ['a space at the end', `${SECRET} `, 'signature_mismatch'],
    ['two other secrets', ['another', 'third'], 'signature_mismatch'],
    ['the new and the old secret', ['new', SECRET], 'accepted'],
    ['the old and the new secret', [SECRET, 'new'], 'accepted'],
  ])('has the result $2: $0', async (_, secret, code) => {
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
});
