import { describe, expect, it } from 'vitest';
import { percentile95 } from '../../../mock-server/doctor/delivery-checks.ts';
import { ORIGIN } from '../../support/a-mock.ts';
import { aShop, buy, DEAF, HOOK, MINUTE } from './a-shop.ts';

it('percentile95() uses the nearest-rank method', () => {
  const answers = (slow: number) => Array.from({ length: 20 }, (_, n) => (n < slow ? 9_000 : 10));
  expect(percentile95([])).toBe(0);
  expect(percentile95([7])).toBe(7);
  expect(percentile95(answers(1))).toBe(10);
  expect(percentile95(answers(2))).toBe(9_000);
});

describe('the report', () => {
  it('lists problems before warnings, with what each record says as evidence', async () => {
    const shop = await aShop({ endpoints: [] });
    const id = await shop.create({ externalUserId: null });
    await shop.settle(id);
    await shop.observe('access_granted', id);
    const { findings } = await shop.doctor();
    const at = '2026-01-01T00:00:00.000Z';
    expect(findings.map(({ severity }) => severity)).toEqual(['problem', 'warning', 'warning']);
    expect(findings.map(({ evidence }) => evidence)).toEqual([
      [{ kind: 'observation', id: '1', at, text: 'access granted', sessionId: id }],
      [{ kind: 'session', id, at, text: `session ${id.slice(0, 8)}`, sessionId: id }],
      [],
    ]);
  });

  it.each([
    [
      '500',
      [500, 503],
      /^The receiver itself failed: its own log says why\..*2xx/,
      /signature|URL/,
    ],
    ['401', [401, 403], /^The receiver refuses the request with 401\. Verify the sig/, /own log/],
    ['404', [404], /^For the status 404, check the URL/, /own log|signature/],
    ['429', [429], /^Respond with 2xx instead of 429/, /own log|signature|URL/],
    ['each', [500, 500, 401, 500, 404, 404], /own log says.*check the URL.*Verify the sig/, /429/],
  ] as const)('advises on the status %s of a receiver', async (_status, statuses, says, omits) => {
    const receiver = (n: number) => ({ answer: { status: statuses[n - 1] ?? 204 } });
    const shop = await aShop({ receiver });
    while (shop.my.sent.length < statuses.length) {
      await buy(shop);
      await shop.advance(10 * MINUTE);
    }
    const { advice } = (await shop.doctor()).findings.find(
      ({ code }) => code === 'webhook_rejected',
    )!;
    expect(advice).toMatch(says);
    expect(advice).not.toMatch(omits);
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
    for (let n = 0; n < 499; n += 1) await shop.post('/sessions/create', shop.publishableKey, {});
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

  const plants: readonly [what: string, path: string, init: RequestInit][] = [
    ['no key', '/api/v1/sessions/create', { method: 'POST' }],
    ['a body', '/api/v1/sessions/validate', { method: 'POST', body: '{"sessionId":"x"}' }],
    [
      'an unknown secret key',
      '/api/v1/sessions/create',
      { method: 'POST', headers: { authorization: 'Bearer sk_unknown' } },
    ],
    [
      'an unknown publishable key',
      '/api/v1/sessions/validate',
      { method: 'POST', headers: { 'x-api-key': 'pk_unknown' } },
    ],
    ['an unknown path', '/api/v2/anything', { method: 'POST' }],
    ['a wrong method', '/api/v1/sessions/create', { method: 'GET' }],
    ['a path of the hosted page', '/hosted/v1/submit', { method: 'POST' }],
    ['an observation', '/control/v1/observations', { method: 'POST', body: '{}' }],
  ];

  it.each([
    ['another site', { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }],
    ['another site in an older browser', { origin: 'https://elsewhere.example' }],
    ['a page with an opaque origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['an image or a link of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a site that imitates the shop', { origin: 'https://shop.example.elsewhere.example' }],
    ['a site that imitates this computer', { origin: 'https://localhost.elsewhere.example' }],
  ])('ignores requests without a valid key from %s, and says so', async (_who, headers) => {
    const shop = await aShop({ tenant: { allowedDomains: ['shop.example'] } });
    const send = async () => {
      for (const [, path, init] of plants) {
        await shop.my.service.fetch(
          new Request(ORIGIN + path, { ...init, headers: { ...init.headers, ...headers } }),
        );
      }
    };
    await send();
    expect(await shop.doctor()).toMatchObject({
      findings: [
        { code: 'nothing_seen', detail: expect.stringContaining('6 requests without a known key') },
      ],
      seen: { requests: 0, since: null },
    });
    await buy(shop);
    await send();
    expect(await shop.findings()).toEqual(['all_well ok']);
  });

  it.each([
    ['this computer', { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' }],
    ['a name of this computer', { origin: 'http://shop.localhost:3000' }],
    ['127.0.0.1', { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-site' }],
    ['an IPv6 address', { origin: 'http://[::1]:3000' }],
    ['an allowed domain', { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }],
    ['a server', {}],
  ])('reports requests without a valid key from %s', async (_who, headers) => {
    const shop = await aShop({ tenant: { allowedDomains: ['shop.example'] } });
    await buy(shop);
    for (const [, path, init] of plants) {
      await shop.my.service.fetch(
        new Request(ORIGIN + path, { ...init, headers: { ...init.headers, ...headers } }),
      );
    }
    expect(await shop.findings()).toEqual(
      expect.arrayContaining([
        'key_missing problem',
        'key_refused problem',
        'path_unknown warning',
      ]),
    );
  });

  it('reports a known key from any site', async () => {
    const shop = await aShop();
    const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    await shop.post('/sessions/validate', shop.publishableKey, { sessionId: 'x' }, headers);
    expect(await shop.findings()).toEqual(['publishable_key_to_validate problem']);
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

  it('can be limited to one account, and then includes requests without an account since it exists', async () => {
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
    await shop.advance(MINUTE);
    const later = await control.createTenant({ name: 'Cider' });
    expect(await shop.findings({ tenantId: later.id })).toEqual(['nothing_seen warning']);
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
    await buy(shop);
    await shop.post('/sessions/create', null, {});
    expect(await shop.findings({ since })).toEqual(['key_missing problem']);
    expect((await shop.doctor({ since })).seen).toMatchObject({ requests: 3, sessions: 1, since });
    expect(await shop.findings()).toContain('url_status_trusted problem');
  });

  it('says when the last traffic was if there was none since then', async () => {
    const shop = await aShop({ endpoints: [] });
    const readFirst = async (since?: string) => (await shop.doctor({ since })).findings[0];
    const never = '2025-12-31T00:00:00.000Z';
    for (const since of [undefined, never])
      expect(await readFirst(since)).toMatchObject({ title: 'No traffic yet' });
    await shop.advance(MINUTE);
    await shop.create();
    await shop.advance(5 * MINUTE);
    const since = (await shop.doctor()).checkedAt;
    expect(await readFirst(since)).toMatchObject({
      code: 'nothing_seen',
      title: 'No traffic in this time',
      detail: expect.stringContaining(
        'since 2026-01-01 00:06:00 UTC. The last was at 2026-01-01 00:01:00 UTC.',
      ),
      advice: expect.stringContaining('earlier time'),
    });
  });

  it('says that no server has called only if none has, also about one session', async () => {
    const shop = await aShop({ endpoints: [] });
    const sessionId = await shop.verify();
    await shop.advance(MINUTE);
    const readDetail = async () =>
      (await shop.doctor({ sessionId })).findings.find(({ code }) => code === 'result_never_asked')
        ?.detail;
    expect(await readDetail()).toContain('No request with a secret key has arrived');
    await buy(shop);
    expect(await readDetail()).toMatch(/validate was not called/);
    expect(await readDetail()).not.toContain('No request with a secret key');
  });

  it('omits the labs of the playground unless they are requested', async () => {
    const shop = await aShop();
    const { control } = shop.my.service;
    await buy(shop);
    const sessionId = await shop.create({ externalUserId: 'ofage_lab:mallory' });
    await shop.observe('url_status_trusted', sessionId);
    const url = 'https://shop.example/receiver?ofage_lab';
    const receiver = await control.createEndpoint(shop.tenantId, { url });
    await buy(shop);
    await shop.post('/sessions/validate', shop.secretKey, {}, { 'x-ofage-lab': '1' });

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

  it.each([
    ['the console', { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }],
    ['the console of the static playground', {}],
  ])('omits what %s itself calls', async (_page, headers) => {
    const shop = await aShop({ endpoints: [DEAF] });
    const asConsole = { ...headers, 'x-ofage-console': '1' };
    const body = { returnUrl: 'http://localhost/' };
    const { body: created } = await shop.post('/sessions/create', shop.secretKey, body, asConsole);
    await shop.post('/sessions/create', 'sk_unknown', body, asConsole);
    await shop.settle(created.sessionId);
    await shop.advance(11 * MINUTE);
    expect(await shop.findings()).toEqual(['all_well ok']);
    expect(await shop.findings({ sessionId: created.sessionId })).toEqual(['all_well ok']);
    expect((await shop.doctor()).seen).toMatchObject({ requests: 0, sessions: 1 });
    // What the shop does with the session is examined.
    await shop.observe('url_status_trusted', created.sessionId);
    await shop.validate(created.sessionId);
    expect(await shop.findings()).toEqual([
      'url_status_trusted problem',
      'result_asked_too_late problem',
    ]);
  });

  it.each([
    ['another port', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' }],
    ['another host', { origin: 'http://localhost:4010', 'sec-fetch-site': 'cross-site' }],
    ['a page behind a proxy that removes Origin', { 'sec-fetch-site': 'same-origin' }],
    ['an opaque origin', { origin: 'null' }],
  ])('lets no page on %s hide its mistake by the marks of our pages', async (_where, headers) => {
    for (const mark of ['x-ofage-console', 'x-ofage-lab']) {
      const shop = await aShop();
      const marked = { ...headers, [mark]: '1' };
      await shop.post('/sessions/validate', shop.secretKey, { sessionId: 'x' }, marked);
      expect(await shop.findings()).toContain('secret_key_in_browser problem');
    }
  });

  it('expects no call to validate for a session that was triggered', async () => {
    const shop = await aShop({ endpoints: [DEAF] });
    await shop.my.control.trigger({ name: 'verified' });
    await shop.advance(11 * MINUTE);
    expect(await shop.findings()).toEqual(['all_well ok']);
  });

  it.each(['127.0.0.1', 'localhost'])(
    "omits the demo shop's own endpoint on %s, unless it is requested",
    async (host) => {
      const url = `http://${host}:4011/shop/webhooks/ofage?ofage_demo`;
      const shop = await aShop({ endpoints: [{ url }], allowLoopbackWebhooks: true });
      await buy(shop);
      // The account has an endpoint, although it is not that of the integration.
      expect(await shop.findings()).toEqual(['all_well ok']);
      expect((await shop.doctor()).seen.deliveries).toBe(0);
      expect(await shop.findings({ labs: true })).toContain('webhook_not_https warning');
      const own = 'http://localhost:4012/hooks';
      await shop.my.service.control.createEndpoint(shop.tenantId, { url: own });
      const findings = (await shop.doctor()).findings.map(
        ({ code, detail }) => `${code} ${detail}`,
      );
      expect(findings.join()).toContain(own);
      expect(findings.join()).not.toContain(url);
    },
  );
});

it('a finding says when it was last seen, which is the present for a setting', async () => {
  const shop = await aShop({ endpoints: [{ url: HOOK, secret: null }] });
  await shop.post('/sessions/create', 'sk_test_wrong', {});
  await shop.advance(MINUTE);
  const { findings, checkedAt } = await shop.doctor();
  expect(findings).toMatchObject([
    { code: 'key_refused', lastSeenAt: '2026-01-01T00:00:00.000Z' },
    { code: 'webhook_unsigned', lastSeenAt: checkedAt },
  ]);
});
