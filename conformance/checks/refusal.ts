import { EndpointRefusal } from '../driver.ts';
import { CheckFailure } from '../outcome.ts';
import type { World } from '../world.ts';

/** Fails the check unless the service refuses an endpoint with this URL. */
export async function expectRefusal(world: World, url: string, what: string): Promise<void> {
  const { tenantId } = world.account;
  try {
    await world.driver.addEndpoint({ tenantId, url });
  } catch (error) {
    if (error instanceof EndpointRefusal) return;
    throw error;
  }
  throw new CheckFailure(`${what} to be refused`, 'it was accepted');
}
