import { readFileSync } from 'node:fs';
import type { DoctorEvidence } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { ACCESS_CASES } from './access-cases.ts';
import { aShop, type Shop } from './a-shop.ts';
import { PAGE_CASES } from './page-cases.ts';
import { REQUEST_CASES } from './request-cases.ts';
import { RESULT_CASES } from './result-cases.ts';
import { WEBHOOK_CASES } from './webhook-cases.ts';

const CASES = [...ACCESS_CASES, ...RESULT_CASES, ...PAGE_CASES, ...REQUEST_CASES, ...WEBHOOK_CASES];

/** The words of each kind of evidence. */
const WORDS: Readonly<Record<DoctorEvidence['kind'], RegExp>> = {
  request: /^[A-Z]+ \/\S* → \d{3}$/,
  session: /^session [\da-f]{8}( of \S+)?$/,
  delivery: /^(session|verification)\.[a-z_]+ to https?:\/\/\S+$/,
  endpoint: /^https?:\/\/\S+$/,
  observation: /^(access granted|url status trusted|webhook processed)(, reported by .+)?$/,
  report:
    /^(verify\(\) called|handleReturn\(\) returned verified).* at http:\/\/localhost:3000\/shop$/,
};

/** Returns the session of the record to which the evidence refers. */
async function findSessionId({ my }: Shop, { kind, id }: DoctorEvidence): Promise<string | null> {
  const { control } = my;
  if (kind === 'session') return id;
  if (kind === 'endpoint') return null;
  const lists = {
    delivery: () => control.deliveries({ limit: 1_000 }),
    observation: () => control.observations(),
    request: () => control.requests({ limit: 1_000 }),
    report: () => control.reports({ limit: 1_000 }),
  };
  const record = (await lists[kind]()).find((one) => String(one.id) === id)!;
  if (record.sessionId !== null || !('requestBody' in record)) return record.sessionId;
  // A refused request belongs to no session, but its body may name one.
  return /"sessionId":"([^"]*)"/.exec(record.requestBody ?? '')?.[1] ?? null;
}

describe('the doctor reports exactly', () => {
  it.each(CASES)(
    '$finds for this integration: $mistake ($why)',
    async ({ options, run, finds, says = /./ }) => {
      const shop = await aShop(options);
      await run(shop);
      expect(await shop.findings()).toEqual(finds);
      const { findings } = await shop.doctor();
      expect(findings.map(({ detail }) => detail).join('\n')).toMatch(says);
      for (const one of findings.flatMap(({ evidence }) => evidence)) {
        expect(one.text).toMatch(WORDS[one.kind]);
        expect(one.sessionId).toEqual(await findSessionId(shop, one));
      }
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
