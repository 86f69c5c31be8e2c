import type { TenantInput } from '../../api/accounts.ts';
import { type ControlClient, createControlClient } from '../../api/client.ts';
import type { ClockReading } from '../../api/clock.ts';
import { ControlError } from '../../api/client.ts';
import type { EndpointInput } from '../../api/endpoints.ts';
import {
  EndpointRefusal,
  type AccountSettings,
  type Driver,
  type KeyPair,
  type MockAccess,
  type SettledStatus,
} from '../driver.ts';

const SCENARIOS = {
  verified: 'verified',
  failed: 'failed_age_not_met',
  cancelled: 'cancelled',
} as const satisfies Record<SettledStatus, string>;

/**
 * Creates a driver that uses the control API of the mock. It freezes the clock at the first check. `close`
 * lets the clock run again, unless it was frozen before.
 * @param mock The address of the mock, or its control API.
 */
export function createControlDriver(mock: string | MockAccess): Driver {
  const access = typeof mock === 'string' ? toAccess(createControlClient({ baseUrl: mock })) : mock;
  const { control, clock } = access;
  let frozen: Promise<{ wasFrozen: boolean; tenantId: string }> | undefined;
  // Kept here, because nothing but `advance` changes it and checks need it often.
  let nowMs = 0;
  function freeze(): NonNullable<typeof frozen> {
    frozen ??= start().catch((error: unknown) => {
      // The next call tries again.
      frozen = undefined;
      throw error;
    });
    return frozen;
  }
  async function start(): Promise<{ wasFrozen: boolean; tenantId: string }> {
    const { frozen: wasFrozen } = await clock.read();
    nowMs = readNow(await clock.freeze());
    const [tenant] = await control.tenants();
    return { wasFrozen, tenantId: tenant?.id ?? '' };
  }
  const keyIds = new Map<string, string>();
  async function createKeyPair(tenantId: string): Promise<KeyPair> {
    const { pairId, publishable, secret } = await control.createKeyPair(tenantId);
    keyIds.set(publishable.value, publishable.id);
    keyIds.set(secret.value, secret.id);
    return { pairId, publishableKey: publishable.value, secretKey: secret.value };
  }
  return {
    mock: access,
    async now() {
      await freeze();
      return nowMs;
    },
    async advance(ms) {
      await freeze();
      nowMs = readNow(await clock.advance(ms));
    },
    async settle({ sessionId }, status) {
      await control.settle(sessionId, SCENARIOS[status]);
    },
    async createAccount(settings) {
      await freeze();
      const { id } = await control.createTenant(toTenantInput(settings));
      return { tenantId: id, ...(await createKeyPair(id)) };
    },
    async changeAccount(tenantId, settings) {
      await control.updateTenant(tenantId, toTenantInput(settings));
    },
    createKeyPair,
    async setKeyStatus(key, status) {
      await control.setKeyStatus(keyIds.get(key) ?? '', status);
    },
    ...createEndpointFunctions(access, async () => (await freeze()).tenantId),
    async close() {
      const { wasFrozen } = (await frozen) ?? { wasFrozen: true };
      if (!wasFrozen) await clock.resume();
    },
  };
}

const readNow = ({ now }: ClockReading): number => Date.parse(now);

function toAccess(control: ControlClient): MockAccess {
  return { control, clock: control.clock };
}

type EndpointFunctions = Pick<
  Driver,
  | 'addEndpoint'
  | 'removeEndpoint'
  | 'changeEndpoint'
  | 'testEndpoint'
  | 'resumeEndpoint'
  | 'redeliver'
  | 'endpointHealth'
  | 'setLegacyWebhook'
  | 'migrateLegacyWebhook'
>;

function createEndpointFunctions(
  { control }: MockAccess,
  firstTenantId: () => Promise<string>,
): EndpointFunctions {
  return {
    async addEndpoint({ tenantId, ...endpoint }) {
      const input = { ...endpoint } as EndpointInput;
      const added = await control
        .createEndpoint(tenantId ?? (await firstTenantId()), input)
        .catch(toRefusal);
      return { id: added.id, secret: added.secret };
    },
    removeEndpoint: (id) => control.deleteEndpoint(id),
    async changeEndpoint(id, { events, ...change }) {
      await control
        .updateEndpoint(id, { ...change, ...(events && { events: [...events] }) })
        .catch(toRefusal);
    },
    testEndpoint: async (id) => (await control.testEndpoint(id)).success,
    resumeEndpoint: async (id) => (await control.resumeEndpoint(id)).resumed,
    redeliver: async (id) => (await control.redeliver(id)).queued,
    async endpointHealth(id) {
      const { state, undelivered, lastSuccessAt } = (await control.endpoint(id)).health;
      return { isPaused: state === 'paused', undelivered, lastSuccessAt };
    },
    async setLegacyWebhook(tenantId, url, events) {
      const input = { url, ...(events && { events: [...events] }) };
      return (await control.putLegacyWebhook(tenantId, input).catch(toRefusal)).secret ?? null;
    },
    async migrateLegacyWebhook(tenantId) {
      const { id } = await control.migrateLegacyWebhook(tenantId);
      return { id, secret: null };
    },
  };
}

/** Converts a refusal of the service to an `EndpointRefusal`. Rethrows other errors. */
function toRefusal(error: unknown): never {
  throw isRefusal(error) ? new EndpointRefusal(error.message) : error;
}

/** An account or endpoint that does not exist is a mistake of the caller, and no refusal of its URL. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof ControlError) return error.code === 'refused' && error.status !== 404;
  // The error of a service in the same process. Its class may be a copy in another bundle.
  if (!(error instanceof Error) || error.name !== 'ServiceError') return false;
  return (error as { readonly code?: unknown }).code !== 'not_found';
}

function toTenantInput(settings: AccountSettings): TenantInput {
  const { verificationMode, challengeAge, faceMatchEnabled, createLimit, validateLimit, ...rest } =
    settings;
  const policy = { verificationMode, challengeAge, faceMatchEnabled };
  const rateLimits = { create: createLimit, validate: validateLimit };
  return { ...rest, policy, rateLimits } as TenantInput;
}
