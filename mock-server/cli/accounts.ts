import type { TenantResource } from '../control/resources.ts';
import type { Option } from './command.ts';
import type { MockClient } from './mock-client.ts';

export const TENANT: Option = {
  type: 'string',
  value: 'ACCOUNT',
  text: "an account's id or name (default: the first)",
};

/** The account that is meant: by id, by name, or the first. */
export async function findTenant(
  mock: MockClient,
  wanted: string | undefined,
): Promise<TenantResource> {
  const tenants = await mock.tenants();
  const found =
    wanted === undefined
      ? tenants[0]
      : (tenants.find(({ id }) => id === wanted) ?? tenants.find(({ name }) => name === wanted));
  if (found) return found;
  const names = tenants.map(({ name }) => `"${name}"`).join(', ');
  throw new Error(`there is no account "${wanted ?? ''}"; there is ${names || 'none'}`);
}

/** The account's id when one is meant, for lists that show all accounts otherwise. */
export async function findTenantId(
  mock: MockClient,
  wanted: string | undefined,
): Promise<string | undefined> {
  return wanted === undefined ? undefined : (await findTenant(mock, wanted)).id;
}

/** A secret key of the account that can be used. */
export async function findSecretKey(mock: MockClient, tenant: TenantResource): Promise<string> {
  const pairs = await mock.keyPairs(tenant.id);
  // Without its publishable key a session of the pair cannot be launched.
  const usable = pairs.find(
    ({ secret, publishable }) => secret.status === 'active' && publishable.status === 'active',
  );
  if (usable) return usable.secret.value;
  throw new Error(`the account "${tenant.name}" has no key pair that is active`);
}
