import type { DoctorFinding } from 'ofage-mock';

/**
 * Returns a test with Vitest that fails as long as the finding is true of the merchant's server, or null if a
 * test over HTTP could not show it.
 */
export function toTest({
  code,
  evidence,
}: Pick<DoctorFinding, 'code' | 'evidence'>): string | null {
  const endpoint = evidence.find(({ kind }) => kind === 'endpoint');
  if (code !== 'webhook_unsigned' || !endpoint) return null;
  return `// Run it with Vitest while your server runs. It needs the packages ofage-mock, msw and vitest, and the
// webhook secret of your server in OFAGE_WEBHOOK_SECRET.
import { createMockService } from 'ofage-mock';
import { vitestFixtures } from 'ofage-mock/testing';
import { expect, test as base } from 'vitest';

const url = ${JSON.stringify(endpoint.text)};
const options = { allowLoopbackWebhooks: true };
const test = base.extend(vitestFixtures({ createMockService, options }));

test('the receiver accepts signed webhooks only', async ({ ofage }) => {
  const { control, clock, tenantId } = ofage;
  /** Sends one webhook, and returns the status with which the receiver responds. */
  const send = async (secret) => {
    const { id: endpointId } = await control.createEndpoint(tenantId, { url, secret });
    const { id: sessionId } = await control.trigger({ name: 'verified' });
    await clock.advance(0);
    const [delivery] = await control.deliveries({ endpointId, sessionId });
    return delivery.attempts[0].httpStatus;
  };
  const refusals = [400, 401, 403];
  expect([200, 202, 204], 'a signed webhook').toContain(await send(process.env.OFAGE_WEBHOOK_SECRET));
  expect(refusals, 'a webhook without a signature').toContain(await send(null));
  expect(refusals, 'a wrong signature').toContain(await send('whsec_of_an_attacker'));
});
`;
}
