import { readFileSync } from 'node:fs';
import { OfAgeError, createClient } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { OFAGE_ERROR_CODES } from '../../src/server/errors.ts';

const PAGE = new URL('../../docs/server-errors.md', import.meta.url);
const text = readFileSync(PAGE, 'utf8');
const ROW = /^\| <a id="([a-z_]+)"><\/a>`\1` +\| (yes|no) +\| (.+?) +\| (.+?) +\|$/gm;
const rows = [...text.matchAll(ROW)].map(([, code = '', again = '', cause = '', cure = '']) => ({
  code,
  again,
  cause,
  cure,
}));

describe('docs/server-errors.md', () => {
  it('lists exactly the codes of the server kit, each once and with the anchor that messages link to', () => {
    expect(rows.map(({ code }) => code).sort()).toEqual([...OFAGE_ERROR_CODES].sort());
  });

  it('quotes a message as the kit writes it', () => {
    const quoted = / Cannot create the client: .+$/m.exec(text)?.[0].trim();
    expect(() => createClient({ secretKey: 'pk_test_1' })).toThrow(
      expect.objectContaining({ message: quoted }),
    );
  });

  it.each(rows)('gives $code the right retryable flag, a cause and a fix', (row) => {
    const code = OFAGE_ERROR_CODES.find((known) => known === row.code) ?? 'aborted';
    expect(row.again).toBe(new OfAgeError(code, '').retryable ? 'yes' : 'no');
    expect(row.cause).toMatch(/^.{15,}[.]$/);
    expect(row.cure).toMatch(/^.{12,}[.]$/);
  });
});
