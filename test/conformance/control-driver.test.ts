import { createControlDriver, type CreatedSession, type Driver } from 'ofage-mock/conformance';
import { createMockService, type MockService } from 'ofage-mock';
import { createControlClient } from 'ofage-mock/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answered } from '../support/a-mock.ts';

type Functions = Required<Omit<Driver, 'mock' | 'now' | 'close'>>;

/** A call of each function that no service can execute. */
const IMPOSSIBLE: { [Name in keyof Functions]: (driver: Functions) => Promise<unknown> } = {
  settle: ({ settle }) => settle({ sessionId: 'unknown' } as CreatedSession, 'verified'),
  advance: ({ advance }) => advance(-1),
  createAccount: ({ createAccount }) => createAccount({ challengeAge: 5 }),
  changeAccount: ({ changeAccount }) => changeAccount('unknown', { challengeAge: 30 }),
  createKeyPair: ({ createKeyPair }) => createKeyPair('unknown'),
  setKeyStatus: ({ setKeyStatus }) => setKeyStatus('sk_unknown', 'paused'),
  addEndpoint: ({ addEndpoint }) => addEndpoint({ tenantId: undefined, url: 'https://10.0.0.1/' }),
  removeEndpoint: ({ removeEndpoint }) => removeEndpoint('unknown'),
  changeEndpoint: ({ changeEndpoint }) => changeEndpoint('unknown', { enabled: false }),
  testEndpoint: ({ testEndpoint }) => testEndpoint('unknown'),
  resumeEndpoint: ({ resumeEndpoint }) => resumeEndpoint('unknown'),
  redeliver: ({ redeliver }) => redeliver('unknown'),
  endpointHealth: ({ endpointHealth }) => endpointHealth('unknown'),
  setLegacyWebhook: ({ setLegacyWebhook }) => setLegacyWebhook('unknown', 'https://a.example/'),
  migrateLegacyWebhook: ({ migrateLegacyWebhook }) => migrateLegacyWebhook('unknown'),
};

function aService(): MockService {
  const service = createMockService({ sender: { send: async () => answered(204) } });
  onTestFinished(() => service.close());
  return service;
}

/** Returns the drivers of a service in this process, and of one that is reached with requests. */
const DRIVERS: readonly [where: string, create: (service: MockService) => Driver][] = [
  ['in this process', (service) => createControlDriver(service)],
  [
    'over HTTP',
    ({ apiOrigin, fetch }) => {
      const send = (url: string, init?: RequestInit) => fetch(new Request(url, init));
      const control = createControlClient({ baseUrl: apiOrigin, fetch: send });
      return createControlDriver({ control, clock: control.clock });
    },
  ],
];

describe.each(DRIVERS)('the control driver of a service %s', (_where, create) => {
  it.each(Object.entries(IMPOSSIBLE))('rejects if %s is not possible', async (_name, call) => {
    await expect(call(create(aService()) as Functions)).rejects.toThrow();
  });

  it('begins at the time of the service, and moves exactly', async () => {
    const service = aService();
    const { now, advance } = create(service) as Required<Driver>;
    const startedAtMs = await now();
    await advance(90_000);
    expect(await now()).toBe(startedAtMs + 90_000);
    expect((await service.clock.now()).getTime()).toBe(startedAtMs + 90_000);
  });

  it('adds an endpoint without an account to the first one', async () => {
    const service = aService();
    const { tenantId } = await service.ready;
    const { createAccount, addEndpoint } = create(service) as Required<Driver>;
    await createAccount({});
    const { id } = await addEndpoint({ tenantId: undefined, url: 'https://shop.example/' });
    expect(await service.control.endpoints(tenantId)).toMatchObject([{ id }]);
  });

  it('passes every setting of an account on', async () => {
    const service = aService();
    const { createAccount, changeAccount } = create(service) as Required<Driver>;
    const billingBlock = { code: 'PLAN_LIMIT_REACHED', message: 'Blocked' };
    const { tenantId } = await createAccount({
      allowedDomains: ['a.example'],
      verificationMode: 'L2',
      challengeAge: 40,
      faceMatchEnabled: false,
      sandboxMode: false,
      billingBlock,
      createLimit: 7,
      validateLimit: 8,
      timeoutAttempts: 4,
    });
    const account = {
      allowedDomains: ['a.example'],
      policy: { verificationMode: 'L2', challengeAge: 40, faceMatchEnabled: false },
      sandboxMode: false,
      billingBlock,
      rateLimits: { create: 7, validate: 8 },
      timeoutAttempts: 4,
    };
    const readAccount = async () =>
      (await service.control.tenants()).find(({ id }) => id === tenantId);
    expect(await readAccount()).toMatchObject(account);
    await changeAccount(tenantId, { challengeAge: 50, createLimit: 9 });
    expect(await readAccount()).toMatchObject({
      ...account,
      policy: { ...account.policy, challengeAge: 50 },
      rateLimits: { create: 9, validate: 8 },
    });
  });
});
