import type { LegacyWebhookResource } from 'ofage/mock';
import { ControlError } from 'ofage/mock/client';
import type { Provider } from '../shared/provider.ts';

/** Most accounts have none, which the service answers with 404. */
export async function findLegacyWebhook(
  provider: Provider,
  tenantId: string,
): Promise<LegacyWebhookResource | null> {
  try {
    return await provider.control('GET', `/tenants/${tenantId}/legacy-webhook`);
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return null;
    throw error;
  }
}
