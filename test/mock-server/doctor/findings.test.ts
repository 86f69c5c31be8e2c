import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ACCESS_CASES } from './access-cases.ts';
import { aShop } from './a-shop.ts';
import { REQUEST_CASES } from './request-cases.ts';
import { RESULT_CASES } from './result-cases.ts';
import { WEBHOOK_CASES } from './webhook-cases.ts';

const CASES = [...ACCESS_CASES, ...RESULT_CASES, ...REQUEST_CASES, ...WEBHOOK_CASES];

describe('the doctor reports exactly', () => {
  it.each(CASES)(
    '$finds for this integration: $mistake ($why)',
    async ({ options, run, finds, says = /./ }) => {
      const shop = await aShop(options);
      await run(shop);
      expect(await shop.findings()).toEqual(finds);
      const { findings } = await shop.doctor();
      expect(findings.map(({ detail }) => detail).join('\n')).toMatch(says);
      for (const secret of [shop.secretKey, shop.publishableKey])
        expect(JSON.stringify(findings)).not.toContain(secret.slice(8));
    },
  );
});

it('the cases cover every severity of every code in docs/errors.md', () => {
  const guide = readFileSync('docs/errors.md', 'utf8');
  const named = [...guide.matchAll(/^\| `([a-z_]+)` +\| (problem|warning|ok)( or warning)? /gm)];
  const all = named.flatMap(([, code, first, second]) => [
    `${code} ${first}`,
    ...(second ? [`${code} warning`] : []),
  ]);
  const found = new Set(CASES.flatMap(({ finds }) => finds));
  expect([...found].sort()).toEqual(all.sort());
});
