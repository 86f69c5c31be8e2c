import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isSignedWith, parseSignature } from '../../src/server/signature.ts';

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

/** Published vectors, kept beside the project; see docs of the case files. */
const FILE = new URL('../../../shared/cases/signature-vectors.json', import.meta.url);
const vectors: Vector[] = existsSync(FILE)
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as { vectors: Vector[] }).vectors
  : [];
if (vectors.length === 0) console.warn('skipped: ../shared/cases/signature-vectors.json is absent');

const text = (value = '') => new TextEncoder().encode(value);
const hex = (value = '') => Uint8Array.from(Buffer.from(value, 'hex'));

/** A raw tag is put into the header's form; one of another length than SHA-256's has no such form. */
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

describe.skipIf(vectors.length === 0)('published HMAC-SHA-256 vectors', () => {
  const ours = vectors.filter(
    ({ format }) => format === 'sha256=<hex>' || format.startsWith('raw hmac-sha256'),
  );
  const others = vectors.filter((vector) => !ours.includes(vector));

  it('are there in number', () => {
    expect(ours.filter(({ valid }) => valid).length).toBeGreaterThan(20);
    expect(ours.filter(({ valid }) => !valid).length).toBeGreaterThan(20);
  });

  it.each(ours)('$id: $valid', async (vector) => {
    expect(await isAccepted(vector)).toBe(vector.valid);
  });

  it.each(others)('$id: refused, since its header has another form', async (vector) => {
    expect(await isAccepted(vector)).toBe(false);
  });
});
