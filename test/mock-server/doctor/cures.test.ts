import type { DoctorFinding } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { DOCTOR_CODES } from '../../../mock-server/doctor/examine.ts';
import { aShop, buy, MINUTE } from './a-shop.ts';
import { CURE_CASES, NO_CURE_CASES } from './cure-cases.ts';
import { NO_WEBHOOK_CURE_CASES, WEBHOOK_CURE_CASES } from './webhook-cure-cases.ts';

const CURES = [...CURE_CASES, ...WEBHOOK_CURE_CASES];

const toCodes = (list: readonly DoctorFinding[]) => list.map(({ code }) => code);

describe('a finding disappears once its advice is followed', () => {
  it.each(CURES)('$finds: $cure', async ({ options, run, finds, follow }) => {
    const shop = await aShop(options);
    await run(shop);
    const before = await shop.doctor();
    expect(toCodes(before.findings)).toContain(finds);
    expect(toCodes(before.earlier)).not.toContain(finds);
    await shop.advance(MINUTE);
    await follow(shop);
    expect(toCodes((await shop.doctor()).findings)).not.toContain(finds);
  });

  it('has a case for every code', () => {
    const cured = new Set(CURES.map(({ finds }) => finds));
    expect(DOCTOR_CODES.filter((code) => !cured.has(code))).toEqual(['all_well']);
  });
});

describe('a finding does not disappear', () => {
  it.each([...NO_CURE_CASES, ...NO_WEBHOOK_CURE_CASES])(
    '$finds with $cure',
    async ({ options, run, finds, follow }) => {
      const shop = await aShop(options);
      await run(shop);
      await shop.advance(MINUTE);
      await follow(shop);
      const { findings, earlier } = await shop.doctor();
      expect(toCodes(findings)).toContain(finds);
      expect(toCodes(earlier)).not.toContain(finds);
    },
  );
});

it('a finding of past traffic is listed as earlier', async () => {
  const shop = await aShop();
  await shop.post('/sessions/create', 'sk_test_wrong', {});
  await shop.advance(MINUTE);
  await buy(shop);
  const { findings, earlier } = await shop.doctor();
  expect(toCodes(findings)).toEqual(['all_well']);
  expect(toCodes(earlier)).toEqual(['key_refused']);
});

it('a finding disappears while the clock is frozen', async () => {
  const shop = await aShop();
  await shop.post('/sessions/create', 'sk_test_wrong', {});
  expect(await shop.findings()).toEqual(['key_refused problem']);
  await shop.create();
  expect(await shop.findings()).toEqual(['all_well ok']);
  await shop.post('/sessions/create', 'sk_test_wrong', {});
  expect(await shop.findings()).toEqual(['key_refused problem']);
});

it('a finding that comes back is current again', async () => {
  const shop = await aShop();
  await shop.post('/sessions/create', 'sk_test_wrong', {});
  await shop.advance(MINUTE);
  await buy(shop);
  await shop.advance(MINUTE);
  await shop.post('/sessions/create', 'sk_test_wrong', {});
  const { findings, earlier } = await shop.doctor();
  expect(findings).toMatchObject([{ code: 'key_refused', lastSeenAt: '2026-01-01T00:02:00.000Z' }]);
  expect(earlier).toEqual([]);
});
