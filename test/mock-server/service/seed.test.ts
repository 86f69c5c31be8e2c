import { createMockService, type MockService } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { answered, HOOK } from '../../support/a-mock.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';
import type { Rows } from '../../../mock-server/store/tables.ts';

type Draw = (service: MockService, tenantId: string) => Promise<unknown>;

/** Everything that draws a value. */
const DRAWS: Readonly<Record<string, Draw>> = {
  'a key pair': ({ control }, tenantId) => control.createKeyPair(tenantId),
  'an endpoint': ({ control }, tenantId) => control.createEndpoint(tenantId, { url: HOOK }),
  'an account': ({ control }) => control.createTenant({ name: 'Another' }),
  async 'a legacy webhook'({ control }, tenantId) {
    await control.putLegacyWebhook(tenantId, { url: HOOK });
    await control.migrateLegacyWebhook(tenantId);
  },
  async 'a new secret'({ control }, tenantId) {
    const [endpoint] = await control.endpoints(tenantId);
    await control.rotateSecret(endpoint?.id ?? '');
  },
  'a session': ({ control }) => control.trigger({ name: 'verified' }),
  'a fault': ({ control }) => control.addFault({ operation: 'create', fault: '500' }),
};

/** Returns the values that must differ, by kind. */
async function readDrawn({ control }: MockService): Promise<Record<string, unknown[]>> {
  const { tables } = await control.snapshot();
  const rows = <T extends 'keys' | 'endpoints' | 'tenants'>(table: T) =>
    (tables[table] ?? []) as unknown as Rows[T][];
  const secretKeys = rows('keys').filter(({ kind }) => kind === 'secret');
  return {
    'key values': rows('keys').map(({ value }) => value),
    'key pairs': secretKeys.map(({ pairId }) => pairId),
    'webhook secrets': rows('endpoints').map(({ secret }) => secret),
    // A legacy webhook has the id of its account, so an endpoint must not.
    'accounts and endpoints': [...rows('tenants'), ...rows('endpoints')].map(({ id }) => id),
  };
}

describe('a service that is started again and again with one seed and one state', () => {
  it.each(Object.keys(DRAWS))(
    'never draws a value that exists, if the first draw of a start is %s',
    async (first) => {
      const shared = createSharedMemory();
      const open = () =>
        createMockService({
          log: createSharedMemoryLog(shared),
          seed: 42,
          endpoints: [{ url: HOOK }],
          sender: { send: async () => answered(204) },
        });
      const others = Object.keys(DRAWS).filter((name) => name !== first);
      for (let start = 0; start < 8; start += 1) {
        const service = open();
        const { tenantId } = await service.ready;
        const rotated = [...others.slice(start), ...others.slice(0, start)];
        for (const name of [first, ...rotated.slice(0, 3)]) await DRAWS[name]?.(service, tenantId);
        for (const [kind, values] of Object.entries(await readDrawn(service)))
          expect(new Set(values).size, kind).toBe(values.length);
        await service.close();
      }
    },
  );
});
