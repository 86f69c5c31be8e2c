import type { ControlClient } from 'ofage/mock/client';
import { createOrder } from '../shared/in-order.ts';

const inOrder = createOrder();

/**
 * Changes the account's allowed domains. A list is saved whole, so each change reads the list that the one
 * before has left, and not the one on the page, which may be older.
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
