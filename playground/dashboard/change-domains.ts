import type { TenantResource } from 'ofage/mock';
import type { Provider } from '../shared/provider.ts';

/**
 * Changes the account's allowed domains from what the service has, not from what a page shows: there
 * the change before may be missing yet. One after the other, in the order in which they are asked for.
 */
export function changeDomains(
  provider: Pick<Provider, 'control'>,
  tenantId: string,
  change: (domains: readonly string[]) => readonly string[],
): Promise<void> {
  const path = `/tenants/${tenantId}`;
  const changed = latest.then(async () => {
    const { allowedDomains } = await provider.control<TenantResource>('GET', path);
    await provider.control('PATCH', path, { allowedDomains: change(allowedDomains) });
  });
  // What failed stands in nobody's way.
  latest = changed.catch(() => undefined);
  return changed;
}

let latest: Promise<void> = Promise.resolve();
