import { describe, expect, it } from 'vitest';
import { createTokenSigner } from '../../../mock-server/service/http/session-tokens.ts';
import { aMock, type Mock } from '../../support/a-mock.ts';

const SECRET_IN_URL = 'sk_in_the_url_of_a_receiver';

/** Creates a run with two accounts, endpoints of both kinds, a custom secret, and logged secrets. */
async function aRunWithSecrets(my: Mock) {
  const { control } = my.service;
  const { tenantId } = my;
  await control.createEndpoint(tenantId, {
    url: `https://shop.example/hooks?key=${SECRET_IN_URL}`,
    secret: 'chosen by hand, "quoted"',
  });
  await control.createEndpoint(tenantId, { url: 'https://unsigned.example/', secret: null });
  await control.createEndpoint(tenantId, { url: 'https://short.example/', secret: 'e' });
  await control.createKeyPair(tenantId);
  const other = await control.createTenant({ name: 'Wine' });
  await control.createEndpoint(other.id, { url: 'https://wine.example/' });
  const pair = await control.createKeyPair(other.id);
  const pending = await my.create({
    returnUrl: `https://localhost/return?pk=${pair.publishable.value}`,
  });
  const verified = await my.create({ externalUserId: `${pending.sessionToken} of anna` });
  await my.hosted('submit', verified.sessionToken, { imageQuality: 'good' });
  await my.api('validate', pair.publishable.value, { sessionId: verified.sessionId });
  await control.addObservation({
    kind: 'access_granted',
    sessionId: verified.sessionId,
    by: `the server with ${pair.secret.value}`,
  });
  await my.clock.advance(60_000);
  return { pending, verified, other };
}

/** Lists every key, endpoint secret, signing key and session token of a state. */
async function listSecrets(my: Mock): Promise<string[]> {
  const { tables }: { tables: Record<string, any[]> } = await my.control.snapshot();
  const [{ value: signingKey }] = tables['settings'] as [{ value: string }];
  const signer = createTokenSigner(() => signingKey);
  const tokens = await Promise.all(tables['sessions']!.map(({ id }) => signer.sign(id)));
  return [
    signingKey,
    SECRET_IN_URL,
    ...tables['keys']!.map(({ value }) => value),
    ...tables['endpoints']!.flatMap(({ secret }) => (secret?.length > 1 ? [secret] : [])),
    ...tokens.flatMap(({ sessionToken, handoffToken }) => [sessionToken, handoffToken]),
  ];
}

describe('a snapshot without secrets', () => {
  it('has no key, secret or token of the state in any column', async () => {
    const my = await aMock();
    await aRunWithSecrets(my);
    const secrets = await listSecrets(my);
    expect(secrets).toHaveLength(14);
    const exact = JSON.stringify(await my.control.snapshot());
    const text = JSON.stringify(await my.control.snapshot({ secrets: 'omit' }));
    const toJson = (secret: string): string => JSON.stringify(secret).slice(1, -1);
    // The exact snapshot shows that the state has them, except tokens, which are not stored.
    expect(exact).toContain(toJson('chosen by hand, "quoted"'));
    for (const secret of secrets) {
      expect(text).not.toContain(toJson(secret));
      expect(text).not.toContain(encodeURIComponent(secret));
    }
    expect(JSON.parse(text).tables.endpoints.map((row: any) => row.secret)).not.toContain('e');
  });

  it('has everything else, and the query of the route selects it', async () => {
    const my = await aMock();
    const { verified } = await aRunWithSecrets(my);
    const exact = await my.control.snapshot();
    const { body } = await my.call('GET', '/snapshot?secrets=omit');
    expect(body).toMatchObject({ ...exact, secrets: 'omitted', tables: expect.anything() });
    expect((await my.call('GET', '/snapshot')).body).toEqual(exact);
    for (const [table, rows] of Object.entries(exact.tables)) {
      if (table !== 'settings') expect(body.tables[table], table).toHaveLength(rows.length);
    }
    expect(body.tables.sessions.map((row: any) => row.id)).toContain(verified.sessionId);
    expect((await my.call('GET', '/snapshot?secrets=some')).status).toBe(400);
  });

  it('gets the keys of the running first account when it is loaded', async () => {
    const there = await aMock();
    const { other, verified } = await aRunWithSecrets(there);
    const snapshot = await there.control.snapshot({ secrets: 'omit' });
    await there.service.close();

    const my = await aMock({ seed: 7 });
    const { publishableKey, secretKey } = my;
    expect((await my.call('PUT', '/snapshot', snapshot)).status).toBe(204);
    const [first, second] = await my.control.keyPairs(there.tenantId);
    expect([first!.publishable.value, first!.secret.value]).toEqual([publishableKey, secretKey]);
    const { sessionId } = verified;
    expect((await my.api('validate', secretKey, { sessionId })).body.verified).toBe(true);
    // Keys of other pairs and accounts are new.
    const [third] = await my.control.keyPairs(other.id);
    const values = [second!, third!].flatMap((pair) => [pair.publishable.value, pair.secret.value]);
    expect(new Set([...values, publishableKey, secretKey]).size).toBe(6);
    for (const value of values) expect(value).toMatch(/^[ps]k_\w{16,}$/);
    // A reset keeps the keys, as always.
    expect(await my.control.reset()).toMatchObject({ publishableKey, secretKey });
  });

  it('gets the keys for the active pair of the first account', async () => {
    const there = await aMock();
    const { tenantId } = there;
    const [revoked] = await there.control.keyPairs(tenantId);
    const active = await there.control.createKeyPair(tenantId);
    await there.control.setKeyStatus(revoked!.secret.id, 'revoked');
    const snapshot = await there.control.snapshot({ secrets: 'omit' });
    const my = await aMock({ seed: 7 });
    const { secretKey } = my;
    await my.control.loadSnapshot(snapshot);
    const pairs = await my.control.keyPairs(tenantId);
    expect(pairs.find(({ pairId }) => pairId === active.pairId)?.secret.value).toBe(secretKey);
    expect(pairs.find(({ pairId }) => pairId === revoked!.pairId)?.secret.status).toBe('revoked');
  });

  it('gets the secret of a running endpoint with the same URL, and new secrets otherwise', async () => {
    const url = 'https://shop.example/hooks';
    const there = await aMock();
    const { tenantId } = there;
    const same = await there.control.createEndpoint(tenantId, { url });
    const unsigned = { url: 'https://unsigned.example/', secret: null };
    await there.control.createEndpoint(tenantId, unsigned);
    await there.control.createEndpoint(tenantId, { url: 'https://else.example/' });
    const snapshot = await there.control.snapshot({ secrets: 'omit' });

    const my = await aMock();
    const running = await my.control.createEndpoint(my.tenantId, { url });
    await my.control.loadSnapshot(JSON.parse(JSON.stringify(snapshot)));
    const { tables }: { tables: Record<string, any[]> } = await my.control.snapshot();
    const [first, second, third] = tables['endpoints']!.slice(-3);
    expect(first).toMatchObject({ url, secret: running.secret });
    expect(running.secret).not.toBe(same.secret);
    expect(second.secret).toBeNull();
    expect(third.secret).toMatch(/^whsec_\w{16,}$/);
  });

  it('gives pending sessions new tokens', async () => {
    const there = await aMock();
    const { pending } = await aRunWithSecrets(there);
    const snapshot = await there.control.snapshot({ secrets: 'omit' });
    const my = await aMock({ seed: 7 });
    await my.control.loadSnapshot(snapshot);
    expect((await my.hosted('session', pending.sessionToken)).status).toBe(401);
    const { tables }: { tables: Record<string, any[]> } = await my.control.snapshot();
    const { sessionToken } = await createTokenSigner(() => tables['settings']![0].value).sign(
      pending.sessionId,
    );
    expect((await my.hosted('session', sessionToken)).body.status).toBe('pending');
  });

  it('can be loaded into the mock that saved it, which keeps its keys and links', async () => {
    const my = await aMock();
    const { pending } = await aRunWithSecrets(my);
    await my.control.loadSnapshot(await my.control.snapshot({ secrets: 'omit' }));
    expect((await my.hosted('session', pending.sessionToken)).body.status).toBe('pending');
    const [first] = await my.control.keyPairs(my.tenantId);
    expect(first!.secret.value).toBe(my.secretKey);
  });
});
