import { describe, expect, it } from 'vitest';
import { percentile95 } from '../../../mock-server/doctor/delivery-checks.ts';
import { aShop, buy, MINUTE } from './a-shop.ts';

it('percentile95() uses the nearest-rank method', () => {
  const answers = (slow: number) => Array.from({ length: 20 }, (_, n) => (n < slow ? 9_000 : 10));
  expect(percentile95([])).toBe(0);
  expect(percentile95([7])).toBe(7);
  expect(percentile95(answers(1))).toBe(10);
  expect(percentile95(answers(2))).toBe(9_000);
});

describe('the report', () => {
  it('lists problems before warnings, with ids as evidence', async () => {
    const shop = await aShop({ endpoints: [] });
    const id = await shop.create({ externalUserId: null });
    await shop.settle(id);
    await shop.observe('access_granted', id);
    const { findings } = await shop.doctor();
    expect(findings.map(({ severity }) => severity)).toEqual(['problem', 'warning', 'warning']);
    expect(findings.map(({ evidence }) => evidence)).toEqual([
      [{ kind: 'observation', id: '1', at: '2026-01-01T00:00:00.000Z' }],
      [{ kind: 'session', id, at: '2026-01-01T00:00:00.000Z' }],
      [],
    ]);
  });

  it('keeps only the newest 20 pieces of evidence', async () => {
    const shop = await aShop();
    for (let n = 0; n < 25; n += 1) await shop.post('/sessions/create', 'sk_wrong', {});
    const [finding] = (await shop.doctor()).findings;
    expect(finding!.detail).toMatch(/^25 requests/);
    expect(finding!.evidence.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, n) => String(n + 6)),
    );
  });

  it('keeps the newest evidence of a finding that groups its records by event', async () => {
    const shop = await aShop();
    const id = await shop.create();
    const process = (eventId: string) => shop.observe('webhook_processed', id, { eventId });
    await process('first');
    for (let n = 0; n < 20; n += 1) await process(`event-${n % 10}`);
    await shop.advance(MINUTE);
    await process('first');
    const { findings } = await shop.doctor();
    const finding = findings.find(({ code }) => code === 'event_processed_twice');
    expect(finding!.evidence).toHaveLength(20);
    expect(finding!.evidence.at(-1)).toMatchObject({ id: '22', at: '2026-01-01T00:01:00.000Z' });
  });

  it('contains the number of examined records, the time of the oldest request and the number of forgotten requests', async () => {
    const shop = await aShop();
    const empty = await shop.doctor();
    expect(empty.seen).toEqual({
      requests: 0,
      sessions: 0,
      deliveries: 0,
      observations: 0,
      since: null,
      forgottenRequests: 0,
      labSessions: 0,
    });
    await buy(shop);
    await shop.advance(MINUTE);
    for (let n = 0; n < 499; n += 1) await shop.post('/sessions/create', null, {});
    expect(await shop.doctor()).toMatchObject({
      checkedAt: '2026-01-01T00:01:00.000Z',
      seen: {
        requests: 500,
        sessions: 1,
        deliveries: 2,
        observations: 1,
        since: '2026-01-01T00:00:00.000Z',
        forgottenRequests: 1,
        labSessions: 0,
      },
    });
  });

  it('ignores requests of the hosted page, so that many of them hide no old mistake', async () => {
    const shop = await aShop();
    await shop.my.api('validate', shop.publishableKey, {});
    const { sessionToken } = await shop.my.create({ externalUserId: 'anna' });
    await shop.my.hosted('session', 'nonsense');
    for (let n = 0; n < 600; n += 1) await shop.my.hosted('session', sessionToken);
    expect(await shop.doctor()).toMatchObject({
      seen: { requests: 2, forgottenRequests: 0 },
      findings: [{ code: 'publishable_key_to_validate' }],
    });
  });

  it('can be limited to one session', async () => {
    const shop = await aShop();
    const good = await buy(shop);
    const bad = await shop.create({ externalUserId: null });
    await shop.validate(bad);
    await shop.post('/sessions/validate', shop.publishableKey, { sessionId: bad });
    await shop.observe('access_granted', bad);
    expect(await shop.findings({ sessionId: good })).toEqual(['all_well ok']);
    expect(await shop.findings({ sessionId: bad })).toEqual([
      'access_not_verified problem',
      'publishable_key_to_validate problem',
      'user_missing warning',
    ]);
    expect((await shop.doctor({ sessionId: bad })).seen).toMatchObject({
      requests: 3,
      sessions: 1,
      deliveries: 1,
      observations: 1,
    });
  });

  it('can be limited to one account, and then includes requests without an account', async () => {
    const shop = await aShop();
    const { control } = shop.my.service;
    const other = await control.createTenant({ name: 'Wine' });
    await buy(shop);
    expect(await shop.findings({ tenantId: shop.tenantId })).toEqual(['all_well ok']);
    expect(await shop.findings({ tenantId: other.id })).toEqual(['nothing_seen warning']);
    const { secret } = await control.createKeyPair(other.id);
    await shop.post('/sessions/create', secret.value, { returnUrl: 'http://localhost/' });
    expect(await shop.findings({ tenantId: shop.tenantId })).toEqual(['all_well ok']);
    expect(await shop.findings({ tenantId: other.id })).toEqual([
      'user_missing warning',
      'webhook_missing warning',
    ]);
    await shop.post('/sessions/create', null, {});
    for (const tenantId of [shop.tenantId, other.id])
      expect(await shop.findings({ tenantId })).toContain('key_missing problem');
  });

  it('can be limited to the records since a given time', async () => {
    const shop = await aShop();
    const old = await shop.create();
    await shop.post('/sessions/validate', shop.publishableKey, { sessionId: old });
    await shop.observe('url_status_trusted', old);
    await shop.advance(MINUTE);
    const since = (await shop.doctor()).checkedAt;
    expect(await shop.findings({ since })).toEqual(['nothing_seen warning']);
    await shop.observe('url_status_trusted', old);
    expect((await shop.doctor({ since })).seen).toMatchObject({ sessions: 0, observations: 0 });
    await shop.post('/sessions/create', null, {});
    await buy(shop);
    expect(await shop.findings({ since })).toEqual(['key_missing problem']);
    expect((await shop.doctor({ since })).seen).toMatchObject({ requests: 3, sessions: 1, since });
    expect(await shop.findings()).toContain('url_status_trusted problem');
  });

  it('omits the labs of the playground unless they are requested', async () => {
    const shop = await aShop();
    const { control } = shop.my.service;
    await buy(shop);
    const sessionId = await shop.create({ externalUserId: 'ofage_lab:mallory' });
    await shop.observe('url_status_trusted', sessionId);
    await shop.post('/sessions/validate', shop.secretKey, {}, { 'x-ofage-lab': '1' });
    const url = 'https://shop.example/receiver?ofage_lab';
    const receiver = await control.createEndpoint(shop.tenantId, { url });
    await buy(shop);

    const { seen } = await shop.doctor();
    expect(await shop.findings()).toEqual(['all_well ok']);
    expect(seen).toMatchObject({ requests: 4, sessions: 2, observations: 2, labSessions: 1 });
    // A deleted endpoint is still recognised by its deliveries.
    await control.deleteEndpoint(receiver.id);
    expect((await shop.doctor()).seen.deliveries).toBe(seen.deliveries);

    const all = await shop.doctor({ labs: true });
    expect(all.seen).toMatchObject({ requests: 6, sessions: 3, observations: 3, labSessions: 0 });
    expect(all.seen.deliveries).toBeGreaterThan(seen.deliveries + 1);
    const codes = all.findings.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['url_status_trusted', 'request_invalid']));
    expect(await shop.findings({ sessionId })).toContain('url_status_trusted problem');
  });

  it("omits the demo shop's own endpoint unless it is requested", async () => {
    const url = 'http://localhost:4011/shop/webhooks/ofage';
    const shop = await aShop({ endpoints: [{ url }], allowLoopbackWebhooks: true });
    await buy(shop);
    // The account has an endpoint, although it is not that of the integration.
    expect(await shop.findings()).toEqual(['all_well ok']);
    expect((await shop.doctor()).seen.deliveries).toBe(0);
    expect(await shop.findings({ labs: true })).toContain('webhook_not_https warning');
    const own = 'http://localhost:4012/hooks';
    await shop.my.service.control.createEndpoint(shop.tenantId, { url: own });
    const findings = (await shop.doctor()).findings.map(({ code, detail }) => `${code} ${detail}`);
    expect(findings.join()).toContain(own);
    expect(findings.join()).not.toContain(url);
  });
});
