import { describe, expect, it } from 'vitest';
import { isSignedWith, parseSignature } from '../../src/server/signature.ts';
import { readCases } from '../support/case-files.ts';

interface Vector {
  id: string;
  format: string;
  valid: boolean;
  secret?: string;
  payload?: string;
  header?: string;
  keyHex?: string;
  msgHex?: string;
  tagHex?: string;
}

const text = (value = '') => new TextEncoder().encode(value);
const hex = (value = '') => Uint8Array.from(Buffer.from(value, 'hex'));

/**
 * Converts a vector to the arguments of the check. A raw tag becomes a header value. A tag whose length is
 * not that of SHA-256 makes an invalid header.
 */
function toParts({ format, ...vector }: Vector) {
  return format.startsWith('raw')
    ? { key: hex(vector.keyHex), body: hex(vector.msgHex), header: `sha256=${vector.tagHex}` }
    : { key: text(vector.secret), body: text(vector.payload), header: vector.header ?? '' };
}

async function isAccepted(vector: Vector): Promise<boolean> {
  const { key, body, header } = toParts(vector);
  const digest = parseSignature(header);
  return digest !== undefined && isSignedWith(key, digest, body);
}

describe('the signature check with the vectors', () => {
  const rows = readCases<Vector>('signature-vectors');
  const ours = rows.filter(
    ({ format }) => format === 'sha256=<hex>' || format.startsWith('raw hmac-sha256'),
  );
  const others = rows.filter((vector) => !ours.includes(vector));

  it('covers more than 20 valid and 20 invalid HMAC-SHA-256 vectors', () => {
    expect(ours.filter(({ valid }) => valid).length).toBeGreaterThan(20);
    expect(ours.filter(({ valid }) => !valid).length).toBeGreaterThan(20);
  });

  it.each(ours)('returns $valid for $id', async (vector) => {
    expect(await isAccepted(vector)).toBe(vector.valid);
  });

  it.each(others)('rejects $id, because its header has another format', async (vector) => {
    expect(await isAccepted(vector)).toBe(false);
  });
});
