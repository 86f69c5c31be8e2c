import type { Operation } from '../../../mock-server/service/operations/operation.ts';
import type { MockService } from '../../../mock-server/index.ts';

const HOOK = 'https://shop.example/webhooks';
const LEGACY = { url: 'https://shop.example/legacy' };

/** The row of each kind to which the path of an operation can refer. */
export type Ids = Readonly<Record<NonNullable<Operation['idOf']>, string>>;

/** Creates a row of every kind for the first account, and returns their ids. */
export async function createRows({ control, clock, ready }: MockService): Promise<Ids> {
  const { tenantId } = await ready;
  await control.clearFaults();
  const { id: session } = await control.trigger({ name: 'never', externalUserId: 'anna' });
  const { publishable } = await control.createKeyPair(tenantId);
  // A fault without effect.
  const fault = await control.addFault({ operation: 'hosted', fault: 'slow', delayMs: 0 });
  await control.putLegacyWebhook(tenantId, LEGACY);
  const [known] = await control.endpoints(tenantId);
  const { id: endpoint } = known ?? (await control.createEndpoint(tenantId, { url: HOOK }));
  // Missed events can only be redelivered to an endpoint that has accepted one.
  await clock.advance(1_000);
  return {
    tenant: tenantId,
    key: publishable.id,
    session,
    endpoint,
    fault: fault.id,
    legacy: tenantId,
  };
}
