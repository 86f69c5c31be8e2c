import { createMockService, type MockService, type ServiceOptions } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { aMock, HOOK, type Mock, openMock } from '../../support/a-mock.ts';

// Values from outside that are later written into an env file, a header, a command line or a terminal. Each
// way in is tried with each kind of bad value.

/** A line break here made Node run the code of whoever wrote the state: NODE_OPTIONS works in an env file. */
const INJECTION = '\nNODE_OPTIONS=--import=data:text/javascript,0';

const UNSAFE: Readonly<Record<string, string>> = {
  'a line break': INJECTION,
  'a carriage return': '\rX=1',
  'a zero byte': '\0',
  'an escape sequence': '\u001b[2J',
  'an 8-bit control character': '\u009b2J',
  'a line separator': '\u2028X=1',
  'a change of direction': '\u202e',
  'half of a surrogate pair': '\ud800',
};

/** What a signing secret may have, but not a key. */
const ONLY_IN_SECRETS: Readonly<Record<string, string>> = {
  'a space': ' x',
  'a comment sign': '#x',
  'a quote': '"x',
  'what a shell expands': '$(id)',
  'a letter that no header can have': 'é',
};

const PROBES = {
  key: { ...UNSAFE, ...ONLY_IN_SECRETS, 'more than 200 characters': 'x'.repeat(201) },
  line: UNSAFE,
} as const;

type Tables = Record<string, Record<string, unknown>[]>;

/** Saves the state with one value changed, and loads it again. */
async function reload(my: Mock, change: (tables: Tables) => void): Promise<unknown> {
  const snapshot = structuredClone(await my.control.snapshot());
  change(snapshot.tables as unknown as Tables);
  return my.control.loadSnapshot(snapshot);
}

const setKey = (kind: string, value: string) => (tables: Tables) => {
  const key = tables['keys']!.find((row) => row['kind'] === kind)!;
  key['value'] = value;
};

const setRow = (table: string, column: string, value: unknown) => (tables: Tables) => {
  tables[table]![0]![column] = value;
};

type WayIn = (my: Mock, value: string) => unknown;

const create = (options: ServiceOptions): MockService => createMockService(options);

/** Every way by which a key arrives. `createKeyPair` takes none. */
const KEYS: Readonly<Record<string, WayIn>> = {
  'the option tenant.publishableKey': (_my, value) =>
    create({ tenant: { publishableKey: `pk_12345${value}` } }),
  'the option tenant.secretKey': (_my, value) =>
    create({ tenant: { secretKey: `sk_12345${value}` } }),
  'tenants[].publishableKey, also of a config file': (_my, value) =>
    create({ tenants: [{ name: 'Wine', publishableKey: `pk_12345${value}` }] }),
  'tenants[].secretKey, also of a config file': (_my, value) =>
    create({ tenants: [{ name: 'Wine', secretKey: `sk_12345${value}` }] }),
  'a publishable key of a snapshot': (my, value) =>
    reload(my, setKey('publishable', `pk_12345${value}`)),
  'a secret key of a snapshot': (my, value) => reload(my, setKey('secret', `sk_12345${value}`)),
};

/** Every way by which a text arrives that must be in one line. */
const LINES: Readonly<Record<string, WayIn>> = {
  'the secret of the option endpoints': (_my, value) =>
    create({ endpoints: [{ url: HOOK, secret: `s${value}` }] }),
  'the secret of tenants[].endpoints': (_my, value) =>
    create({ tenants: [{ name: 'Wine', endpoints: [{ url: HOOK, secret: `s${value}` }] }] }),
  'the secret of a new endpoint': (my, value) =>
    my.control.createEndpoint(my.tenantId, { url: HOOK, secret: `s${value}` }),
  'the secret of a changed endpoint': async (my, value) => {
    const [endpoint] = await my.control.endpoints(my.tenantId);
    return my.control.updateEndpoint(endpoint!.id, { secret: `s${value}` });
  },
  'the secret of the legacy webhook': (my, value) =>
    my.control.putLegacyWebhook(my.tenantId, { url: HOOK, secret: `s${value}` }),
  'the secret of an endpoint of a snapshot': (my, value) =>
    reload(my, setRow('endpoints', 'secret', `s${value}`)),
  'the option tenant.name': (_my, value) => create({ tenant: { name: `a${value}` } }),
  'the option tenant.id': (_my, value) => create({ tenant: { id: `a${value}` } }),
  'tenants[].name': (_my, value) => create({ tenants: [{ name: `a${value}` }] }),
  'the name of a new account': (my, value) => my.control.createTenant({ name: `a${value}` }),
  'the name of a changed account': (my, value) =>
    my.control.updateTenant(my.tenantId, { name: `a${value}` }),
  'the email address of a member': (my, value) =>
    my.control.updateTenant(my.tenantId, {
      members: [{ email: `a${value}@shop.example`, role: 'owner' }],
    }),
  'the name of an account of a snapshot': (my, value) =>
    reload(my, setRow('tenants', 'name', `a${value}`)),
  'the email address of a member of a snapshot': (my, value) =>
    reload(my, setRow('tenants', 'members', [{ email: `a${value}@shop.example`, role: 'owner' }])),
  'an id of a snapshot': (my, value) => reload(my, setRow('sessions', 'id', `a${value}`)),
  'the URL of an endpoint of a snapshot': (my, value) =>
    reload(my, (tables) => {
      const url = `https://shop.example/${value}`;
      tables['endpoints']![0]!['url'] = url;
      tables['endpointHealth']![0]!['url'] = url;
    }),
  'the option apiOrigin': (_my, value) => create({ apiOrigin: `https://a.example${value}` }),
  'the option verifyUrl': (_my, value) => create({ verifyUrl: `https://a.example/${value}` }),
};

async function aState(): Promise<Mock> {
  const my = await aMock({ endpoints: [{ url: HOOK }] });
  await my.create();
  return my;
}

const rows = (ways: Readonly<Record<string, WayIn>>, probes: Readonly<Record<string, string>>) =>
  Object.entries(ways).flatMap(([way, enter]) =>
    Object.entries(probes).map(([what, value]) => ({ way, what, enter, value })),
  );

describe('is refused where it enters, and nothing changes:', () => {
  it.each([...rows(KEYS, PROBES.key), ...rows(LINES, PROBES.line)])(
    '$way with $what',
    async ({ enter, value }) => {
      const my = await aState();
      const before = await my.control.snapshot();
      await expect((async () => enter(my, value))()).rejects.toThrow(/must (not )?(be|contain)/);
      expect(await my.control.snapshot()).toEqual(before);
    },
  );
});

describe('is accepted:', () => {
  it.each(Object.entries(KEYS))('%s of ordinary characters', async (_way, enter) => {
    const accepted = await enter(await aState(), '-A.b+/=:@_9');
    await (accepted as MockService | undefined)?.close();
  });

  it('a signing secret with spaces, quotes and letters of any alphabet', async () => {
    const my = await aMock();
    for (const secret of Object.values(ONLY_IN_SECRETS))
      expect(await my.control.createEndpoint(my.tenantId, { url: HOOK, secret })).toMatchObject({
        secret,
      });
  });

  it.each(Object.entries(UNSAFE))(
    'an externalUserId and a merchantName with %s, because the contract allows any text',
    async (_what, value) => {
      const my = await aMock();
      const session = await my.create({ externalUserId: value, merchantName: value });
      const stored = await my.control.session(session.sessionId);
      expect(stored).toMatchObject({ externalUserId: value });
      await reload(my, () => {});
      expect(await my.control.session(session.sessionId)).toEqual(stored);
    },
  );
});

it('a snapshot without secrets can be loaded, and its placeholders do not become keys', async () => {
  const my = await aState();
  await my.control.createKeyPair(my.tenantId);
  const omitted = await my.control.snapshot({ secrets: 'omit' });
  const other = await openMock();
  await other.control.loadSnapshot(omitted);
  const values = (await other.control.keyPairs(my.tenantId)).flatMap(({ publishable, secret }) => [
    publishable.value,
    secret.value,
  ]);
  expect(new Set(values).size).toBe(4);
  for (const value of values) expect(value).toMatch(/^[ps]k_\w{16,}$/);
  await other.service.close();
});

it('a snapshot can have every return URL that the API accepts', async () => {
  const my = await aState();
  const returnUrl = 'https://localhost/return?q=\u009b\u2028\u202e\ud800#é';
  const session = await my.create({ returnUrl, cancelUrl: returnUrl });
  await reload(my, () => {});
  expect(await my.control.session(session.sessionId)).toMatchObject({ returnUrl });
});

it.each(['javascript:alert(1)', 'data:text/html,x', 'https://shop.example/\n'])(
  'a snapshot whose session returns to %j is refused',
  async (url) => {
    const my = await aState();
    for (const column of ['returnUrl', 'cancelUrl'])
      await expect(reload(my, setRow('sessions', column, url))).rejects.toThrow(
        `tables.sessions[0].${column} must be an http or https URL`,
      );
  },
);
