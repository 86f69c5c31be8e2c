import type { EndpointResource } from 'ofage-mock';
import type { ControlClient } from 'ofage-mock/client';
import { isDemoEndpoint } from '../shared/demo-endpoint.ts';
import type { ShopApi } from '../shop/api.ts';

/**
 * Returns the id of the account that the shop's publishable key belongs to. It is looked up each time,
 * because a snapshot without keys leaves the key to another account.
 */
export async function findTenantId(
  api: Pick<ShopApi, 'config'>,
  client: ControlClient,
): Promise<string> {
  const { publishableKey } = await api.config();
  for (const { id } of await client.tenants()) {
    const pairs = await client.keyPairs(id);
    if (pairs.some(({ publishable }) => publishable.value === publishableKey)) return id;
  }
  throw new Error("The service does not know the shop's key. Restart the demo.");
}

/** Returns the shop's webhook endpoint, or null if it was deleted. */
export function findEndpoint(endpoints: readonly EndpointResource[]): EndpointResource | null {
  return endpoints.find(isDemoEndpoint) ?? null;
}
