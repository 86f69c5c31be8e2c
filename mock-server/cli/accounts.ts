import type { ControlClient } from '../api/client.ts';
import type { TenantResource } from '../api/accounts.ts';
import type { Option } from './command.ts';

export const TENANT: Option = {
  type: 'string',
  value: 'ACCOUNT',
  text: "an account's id or name (default: the first)",
};

/** The same option for commands that cover all accounts by default. */
export const ANY_TENANT: Option = { ...TENANT, text: "an account's id or name (default: all)" };

/** Finds an account by id or by name. If `wanted` is undefined, returns the first account. */
export async function findTenant(
  mock: ControlClient,
  wanted: string | undefined,
): Promise<TenantResource> {
  const tenants = await mock.tenants();
  const found =
    wanted === undefined
      ? tenants[0]
      : (tenants.find(({ id }) => id === wanted) ?? tenants.find(({ name }) => name === wanted));
  if (found) return found;
  const names = tenants.map(({ id, name }) => (name === '' ? id : `"${name}"`)).join(', ');
  throw new Error(`unknown account "${wanted ?? ''}"; existing accounts: ${names || 'none'}`);
}

/** Returns the id of the chosen account, or undefined if none was chosen, which means all accounts. */
export async function findTenantId(
  mock: ControlClient,
  wanted: string | undefined,
): Promise<string | undefined> {
  return wanted === undefined ? undefined : (await findTenant(mock, wanted)).id;
}
