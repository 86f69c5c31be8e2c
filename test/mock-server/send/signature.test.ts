import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signBody } from '../../../mock-server/send/signature.ts';
import { anyText } from '../../support/any-text.ts';
import { readCases } from '../../support/case-files.ts';

interface Vector {
  id: string;
  format: string;
  valid: boolean;
  secret: string;
  payload: string;
  header: string;
  keyHex: string;
  msgHex: string;
  tagHex: string;
}

const toBytes = (text: string) => new TextEncoder().encode(text);
const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

function isUtf8(hex: string): boolean {
  return Buffer.from(Buffer.from(hex, 'hex').toString('utf8'), 'utf8').toString('hex') === hex;
}

describe('signBody() on the vectors', () => {
  const rows = readCases<Vector>('signature-vectors');
  const asHeader = rows.filter((vector) => vector.format === 'sha256=<hex>');
  it.each(asHeader)(
    'returns the header of $id if and only if that vector is valid',
    async (vector) => {
      const header = await signBody(toBytes(vector.payload), vector.secret);
      expect(header === vector.header).toBe(vector.valid);
    },
  );

  // Our secrets are text, so only binary keys that are valid UTF-8 can be tested.
  const raw = rows.filter(
    ({ keyHex }) => keyHex && Buffer.from(fromHex(keyHex).toString()).length > 0 && isUtf8(keyHex),
  );
  it.each(raw)('returns the tag of $id if and only if that vector is valid', async (vector) => {
    const secret = Buffer.from(vector.keyHex, 'hex').toString('utf8');
    const header = await signBody(fromHex(vector.msgHex), secret);
    expect(header.slice('sha256='.length).startsWith(vector.tagHex)).toBe(vector.valid);
  });
});

describe('signBody()', () => {
  it('returns the same as node:crypto for any bytes and any secret (property)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), anyText(1), async (bytes, secret) => {
        const expected = createHmac('sha256', secret).update(bytes).digest('hex');
        expect(await signBody(new Uint8Array(bytes), secret)).toBe(`sha256=${expected}`);
      }),
    );
  });

  it('rejects an empty secret, with which anyone could sign', async () => {
    await expect(signBody(toBytes('x'), '')).rejects.toThrow(RangeError);
  });
});
