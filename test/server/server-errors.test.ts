import { readFileSync } from 'node:fs';
import { OfAgeError } from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { OFAGE_ERROR_CODES } from '../../src/server/errors.ts';

const PAGE = new URL('../../docs/errors.md', import.meta.url);
const text = readFileSync(PAGE, 'utf8');
const [, kit = ''] = /^## The server kit$([\s\S]*?)^## Findings/m.exec(text) ?? [];
const ROW = /^\| `([a-z_]+)` +\| (yes|no) +\| (.+?) +\| (.+?) +\|$/gm;
const rows = [...kit.matchAll(ROW)].map(([, code = '', again = '', cause = '', cure = '']) => ({
  code,
  again,
  cause,
  cure,
}));

describe('the tables of the server kit in docs/errors.md', () => {
  it('lists exactly the codes of the server kit, each once', () => {
    expect(rows.map(({ code }) => code).sort()).toEqual([...OFAGE_ERROR_CODES].sort());
  });

  it.each(rows)('gives $code the right retryable flag, a cause and a fix', (row) => {
    const code = OFAGE_ERROR_CODES.find((known) => known === row.code) ?? 'aborted';
    expect(row.again).toBe(new OfAgeError(code, '').retryable ? 'yes' : 'no');
    expect(row.cause).toMatch(/^.{15,}[.]$/);
    expect(row.cure).toMatch(/^.{12,}[.]$/);
  });
});
