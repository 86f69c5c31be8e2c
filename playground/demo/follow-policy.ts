import type { Provider } from '../shared/provider.ts';
import type { ShopApi } from '../shop/api.ts';
import type { CheckPolicy } from '../shop/check-policy.ts';
import { findTenantId } from './account.ts';

/** Follows the verification policy of the shop's account. The console can change it. */
export function followPolicy(
  api: Pick<ShopApi, 'config'>,
  { client, live }: Pick<Provider, 'client' | 'live'>,
): { readonly policy: { readonly value: CheckPolicy | null }; close(): void } {
  const { data, close } = live.open({
    key: 'policy',
    topics: ['tenant', 'key'],
    read: async () => (await client.tenant(await findTenantId(api, client))).policy,
  });
  return { policy: data, close };
}
