import type { ControlClient } from 'ofage/mock/client';
import { createOrder } from '../shared/in-order.ts';

const inOrder = createOrder();

/**
 * Changes the account's allowed domains. The service replaces the whole list at once. Each change therefore
 * waits for the previous one and starts from the service's current list, because the list on the page may
 * be older.
 */
export function changeDomains(
  client: Pick<ControlClient, 'tenant' | 'updateTenant'>,
  tenantId: string,
  change: (domains: readonly string[]) => string[],
): Promise<void> {
  return inOrder(async () => {
    const { allowedDomains } = await client.tenant(tenantId);
    await client.updateTenant(tenantId, { allowedDomains: change(allowedDomains) });
  });
}
