import type { ServiceOptions } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { aMock, HOOK } from '../../support/a-mock.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';

describe('the first accounts of a new state', () => {
  const now = Date.UTC(2030, 5, 1);
  const createdAt = '2030-06-01T00:00:00.000Z';

  it.each<[which: string, options: ServiceOptions]>([
    ['the account without a name', { endpoints: [{ url: HOOK }] }],
    ['a named account', { tenants: [{ name: 'Wine', endpoints: [{ url: HOOK }] }] }],
  ])('have the time of the option clock.now: %s', async (_which, options) => {
    const { control, tenantId, service } = await aMock({
      ...options,
      clock: { now, frozen: true },
    });
    const readTimes = async () => [
      ...(await control.tenants()),
      ...(await control.keyPairs(tenantId)).map(({ secret }) => secret),
      ...(await control.endpoints(tenantId)),
    ];
    expect(await readTimes()).toMatchObject([{ createdAt }, { createdAt }, { createdAt }]);
    await service.clock.advance(60_000);
    await control.reset();
    expect(await readTimes()).toMatchObject([{ createdAt }, { createdAt }, { createdAt }]);
  });
});

describe('the keys of an account of the options', () => {
  /** Starts services on one state, the first of them without keys in its options. */
  async function startAgain(keys: { publishableKey?: string; secretKey?: string }) {
    const shared = createSharedMemory();
    const start = (account: object) =>
      aMock({ log: createSharedMemoryLog(shared), tenants: [{ name: 'Wine', ...account }] });
    const first = await start({});
    const again = await start(keys);
    const pairs = await again.control.keyPairs(again.tenantId);
    const named = pairs.find(
      ({ publishable, secret }) =>
        publishable.value === keys.publishableKey || secret.value === keys.secretKey,
    );
    return { first, again, pairs, named: named!, start: () => start(keys) };
  }

  it.each([{ publishableKey: 'pk_of_wine' }, { secretKey: 'sk_of_wine' }])(
    'belong together, although another pair is older: %j',
    async (keys) => {
      const { again, pairs, named } = await startAgain(keys);
      expect(pairs).toHaveLength(2);
      expect(again).toMatchObject({
        publishableKey: named.publishable.value,
        secretKey: named.secret.value,
      });
    },
  );

  it('are those of an active pair if a key of the named pair was revoked', async () => {
    const { first, again, named, start } = await startAgain({ publishableKey: 'pk_of_wine' });
    await again.control.setKeyStatus(named.secret.id, 'revoked');
    const { publishableKey, secretKey } = await start();
    expect({ publishableKey, secretKey }).toEqual({
      publishableKey: 'pk_of_wine',
      secretKey: first.secretKey,
    });
  });
});
