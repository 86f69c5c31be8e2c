import { describe, expect, it } from 'vitest';
import { controlOperations as operations } from '../../../mock-server/service/http/control.ts';
import { createTokenSigner } from '../../../mock-server/service/http/session-tokens.ts';
import { LAST_INSTANT_MS } from '../../../mock-server/store/instant.ts';
import { LOG_FORMAT } from '../../../mock-server/store/log.ts';
import { aMock, answered, HOOK, type Mock, NEW_YEAR } from '../../support/a-mock.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { withoutLoad } from '../../support/without-load.ts';

describe('a snapshot', () => {
  it('can be loaded by a different service, which continues the run', async () => {
    const here = await aMock();
    const { pending, verified } = await aRun(here);
    const { body: snapshot } = await here.call('GET', '/snapshot');
    expect(snapshot).toMatchObject({
      format: 'ofage-mock-snapshot',
      version: LOG_FORMAT,
      takenAt: '2026-01-01T00:04:00.000Z',
      frozen: true,
    });
    const keys = here;
    await here.service.close();

    const there = await aMock({ clock: { now: NEW_YEAR + 1e12, frozen: false } });
    await there.create();
    expect((await there.call('PUT', '/snapshot', snapshot)).status).toBe(204);
    expect((await there.call('GET', '/state')).body).toMatchObject({
      now: '2026-01-01T00:04:00.000Z',
      clock: { frozen: true, nextDue: '2026-01-01T00:10:00.000Z' },
      tenants: [{ id: keys.tenantId }],
      counts: { sessions: 2, events: 3 },
    });
    // Keys and tokens work as in the saved run.
    const { secretKey } = keys;
    const { sessionId } = verified;
    expect((await there.api('validate', secretKey, { sessionId })).body.verified).toBe(true);
    expect((await there.hosted('session', pending.sessionToken)).body.status).toBe('pending');
    await there.clock.next();
    expect((await there.hosted('session', pending.sessionToken)).body.status).toBe('expired');
  });

  it('with a running clock continues from its saved time, even if it is loaded much later', async () => {
    const realClock = createManualClock(NEW_YEAR);
    const my = await aMock({ realClock, clock: {} });
    const { sessionId } = await my.create();
    await realClock.pass(540_000);
    const snapshot = await my.control.snapshot();
    await realClock.pass(86_400_000);
    expect((await my.control.session(sessionId)).status).toBe('expired');

    await my.control.loadSnapshot(snapshot);
    await realClock.pass(59_999);
    expect((await my.control.session(sessionId)).status).toBe('pending');
    await realClock.pass(1);
    expect((await my.control.session(sessionId)).status).toBe('expired');
  });

  it('is the same after it is loaded and saved again, except for the change itself', async () => {
    const my = await aMock();
    await aRun(my);
    await my.control.addFault({ operation: 'validate', fault: '500', count: 9 });
    const snapshot = await my.control.snapshot();
    await my.control.reset();
    await my.control.loadSnapshot(JSON.parse(JSON.stringify(snapshot)));
    expect(withoutLoad(await my.control.snapshot())).toEqual(snapshot);
  });

  it('may have accounts without keys, except the first, and a reset still works', async () => {
    const my = await aMock({ tenants: [{ name: 'Wine' }] });
    const before = my;
    const snapshot: any = await my.control.snapshot();
    const [wine] = snapshot.tables.tenants;
    snapshot.tables.tenants = [
      { ...wine, name: 'Beer' },
      { ...wine, id: 'w', name: 'Wine' },
    ];
    expect((await my.call('PUT', '/snapshot', snapshot)).status).toBe(204);
    expect((await my.call('POST', '/reset')).status).toBe(200);
    const pairs = await my.control.keyPairs('w');
    expect(pairs).toHaveLength(1);
    expect(pairs[0]?.secret.value).not.toBe(before.secretKey);
  });

  it('can be loaded again at the last time of the clock, where no stored time is after 9999', async () => {
    const my = await aMock({ answer: () => answered(500, '86400'), endpoints: [{ url: HOOK }] });
    const { control, tenantId } = my;
    const { id: endpointId } = (await control.endpoints(tenantId))[0]!;
    await my.clock.set(new Date('9999-11-30T23:59:00.000Z'));
    await control.testEndpoint(endpointId);
    const leaving = await my.create();
    await control.settle((await my.create()).sessionId, 'verified');
    await my.clock.set(new Date('9999-12-01T00:00:00.000Z'));
    await control.settle((await my.create()).sessionId, 'verified');
    await my.hosted('leave', leaving.sessionToken);
    for (let n = 0; n < 30; n += 1) await my.clock.next();
    expect(await my.clock.read()).toMatchObject({ now: '9999-12-01T00:00:00.000Z' });
    await expect(my.clock.advance(1)).rejects.toThrow('1 December 9999');
    const snapshot = await control.snapshot();
    expect(JSON.stringify(await control.deliveries({ limit: 100 }))).not.toContain('+01');
    await control.loadSnapshot({ ...snapshot, webhooks: 'held' });
    await control.releaseWebhooks();
    await control.loadSnapshot(snapshot);
    expect(withoutLoad(await control.snapshot())).toEqual(snapshot);
  });

  it('ends a running clock at its last time', async () => {
    const realClock = createManualClock();
    const my = await aMock({ realClock, clock: {} });
    await my.clock.set(new Date('9999-11-30T23:59:59.000Z'));
    await realClock.pass(60_000);
    expect(await my.clock.now()).toEqual(new Date('9999-12-01T00:00:00.000Z'));
    await my.control.loadSnapshot(await my.control.snapshot());
  });

  it('may be larger than other request bodies', async () => {
    const my = await aMock();
    for (let n = 0; n < 200; n += 1) await my.create();
    const snapshot = await my.control.snapshot();
    expect(JSON.stringify(snapshot).length).toBeGreaterThan(65_536);
    expect((await my.call('PUT', '/snapshot', snapshot)).status).toBe(204);
  });
});

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

/** The table from which the id in a path comes. */
const TABLE_OF = {
  tenant: 'tenants',
  key: 'keys',
  session: 'sessions',
  endpoint: 'endpoints',
  fault: 'faults',
  legacy: 'tenants',
} as const;

describe('a snapshot', () => {
  const edit = (change: (snapshot: any) => unknown) => (snapshot: any) => {
    change(snapshot);
    return snapshot;
  };
  it.each<[string, (snapshot: any) => unknown, string]>([
    [
      'a different JSON file',
      () => ({ name: 'ofage' }),
      'it must be a JSON object whose format is "ofage-mock-snapshot"',
    ],
    [
      'a different version',
      edit((s) => (s.version = LOG_FORMAT + 1)),
      `its version is ${LOG_FORMAT + 1}, but this version of ofage reads only ${LOG_FORMAT}`,
    ],
    ['no time', edit((s) => delete s.takenAt), 'takenAt must be a valid ISO 8601 date string'],
    ['no clock state', edit((s) => delete s.frozen), 'frozen must be a boolean value'],
    ['an unknown table', edit((s) => (s.tables.pets = [])), 'unknown table "pets"'],
    [
      'a table named like a property of Object.prototype',
      () =>
        JSON.parse(
          `{"format":"ofage-mock-snapshot","version":${LOG_FORMAT},"takenAt":"2026-01-01","frozen":true,"tables":{"__proto__":[]}}`,
        ),
      'unknown table "__proto__"',
    ],
    [
      'a table that is not an array',
      edit((s) => (s.tables.sessions = {})),
      'tables.sessions must be an array',
    ],
    [
      'a row that is not an object',
      edit((s) => s.tables.sessions.push(null)),
      'tables.sessions[2] must be an object',
    ],
    [
      'a row without an id',
      edit((s) => delete s.tables.keys[0].id),
      'tables.keys[0].id must be a string',
    ],
    [
      'a duplicate row',
      edit((s) => s.tables.keys.push(s.tables.keys[0])),
      /tables\.keys\[2\]\.id is not unique/ as never,
    ],
    [
      'a time as a string',
      edit((s) => (s.tables.sessions[0].expiresAtMs = 'soon')),
      'tables.sessions[0].expiresAtMs must be an integer',
    ],
    [
      'a time after the year 9999',
      edit((s) => (s.tables.sessions[0].expiresAtMs = LAST_INSTANT_MS + 1)),
      `tables.sessions[0].expiresAtMs must be an integer up to ${LAST_INSTANT_MS}`,
    ],
    [
      'a session whose account id is a number',
      edit((s) => (s.tables.sessions[1].tenantId = 7)),
      'tables.sessions[1].tenantId must be a string',
    ],
    [
      'an endpoint whose URL is an array',
      edit((s) => (s.tables.endpoints[0].url = [])),
      'tables.endpoints[0].url must be an http or https URL',
    ],
    [
      'an endpoint without a health row',
      edit((s) => (s.tables.endpointHealth = [])),
      'has no row in tables.endpointHealth for its URL',
    ],
    [
      'an unknown event',
      edit((s) => (s.tables.endpoints[0].events = ['session.paused'])),
      'tables.endpoints[0].events must be an array of event kinds',
    ],
    [
      'a session in an unknown state',
      edit((s) => (s.tables.sessions[0].status = 'DONE')),
      'tables.sessions[0].status must be one of PENDING, VERIFIED, FAILED, CANCELLED, EXPIRED',
    ],
    [
      'an incomplete policy',
      edit((s) => delete s.tables.tenants[0].policy.challengeAge),
      'tables.tenants[0].policy must be an object with only verificationMode (one of L1, L2), challengeAge (a number), faceMatchEnabled (a boolean value)' as never,
    ],
    [
      'an unknown column',
      edit((s) => (s.tables.sessions[0].note = 'x')),
      'tables.sessions[0].note should not exist',
    ],
    [
      'an unknown property in a column',
      edit((s) => (s.tables.tenants[0].policy.note = 'x')),
      'tables.tenants[0].policy must be an object with only ',
    ],
    [
      'takenAt after the end of the clock',
      edit((s) => (s.takenAt = '+010000-01-01T00:00:00.000Z')),
      'takenAt must not be later than 1 December 9999',
    ],
    [
      'a first account without keys',
      edit((s) => delete s.tables.keys),
      /its first account, "[-\w]+", has no key pair/ as never,
    ],
    [
      'a first account whose two keys are not a pair',
      edit((s) => (s.tables.keys[0].pairId = 'another')),
      /its first account, "[-\w]+", has no key pair/ as never,
    ],
    ['no account', edit((s) => delete s.tables.tenants), 'it has no account'],
    [
      'no signing key',
      edit((s) => delete s.tables.settings),
      'the key that signs session tokens is missing',
    ],
  ])('is rejected and changes nothing: %s', async (_name, spoil, reason) => {
    const my = await aMock({ endpoints: [{ url: 'https://shop.example/hooks' }] });
    await aRun(my);
    const before = await my.control.snapshot();
    const input = spoil(JSON.parse(JSON.stringify(before)));
    const { status, body } = await my.call('PUT', '/snapshot', input);
    expect(status).toBe(400);
    expect(body.message).toMatch(reason);
    expect(body.message).toMatch(/^Cannot load the snapshot: /);
    expect(await my.control.snapshot()).toEqual(before);
  });

  it('with an unexpected value in any column never leads to an internal error', async () => {
    const my = await aMock({ endpoints: [{ url: 'https://shop.example/hooks' }] });
    const { tenantId } = my;
    await aRun(my);
    await my.control.putLegacyWebhook(tenantId, { url: 'https://shop.example/legacy' });
    await my.control.addFault({ operation: 'webhook', fault: '500' });
    const snapshot = JSON.stringify(await my.control.snapshot());
    const { tables } = JSON.parse(snapshot);
    const paths = operations
      .filter(({ method, path }) => method === 'get' && !path.endsWith('/stream'))
      .map(({ path, idOf }) => path.replace('{id}', tables[TABLE_OF[idOf ?? 'tenant']][0].id))
      .map((path) => path.replace('/control/v1', ''));
    const broken: string[] = [];
    for (const [table, rows] of Object.entries<any>(tables)) {
      for (const column of Object.keys(rows[0]).filter((name) => name !== 'id')) {
        for (const value of [null, undefined, [], {}, [null], 'x', '', -1, 1e300, true]) {
          const spoiled = JSON.parse(snapshot);
          spoiled.tables[table][0][column] = value;
          const { status } = await my.call('PUT', '/snapshot', spoiled);
          const place = `${table}.${column} = ${JSON.stringify(value)}`;
          if (status >= 500) broken.push(place);
          if (status !== 204) continue;
          for (const path of paths) {
            if ((await my.call('GET', path)).status >= 500) broken.push(`${place}: ${path}`);
          }
        }
      }
    }
    expect(broken).toEqual([]);
  });
});

/** Creates a pending session, a verified one and an observation, and moves the clock by four minutes. */
async function aRun(my: Mock) {
  const pending = await my.create();
  const verified = await my.create({ externalUserId: 'anna' });
  await my.control.settle(verified.sessionId, 'verified');
  await my.control.addObservation({
    kind: 'access_granted',
    sessionId: verified.sessionId,
  });
  await my.clock.advance(240_000);
  return { pending, verified };
}
