import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setupServer } from 'msw/node';
import { createMockService } from 'ofage-mock';
import { vitestFixtures } from 'ofage-mock/testing';
import { afterAll, expect, test as base, vi } from 'vitest';
import { app } from './app.ts';

const secretKey = 'sk_of_these_tests';
const secret = 'whsec_of_these_tests';
vi.stubEnv('OFAGE_SECRET_KEY', secretKey);
vi.stubEnv('OFAGE_WEBHOOK_SECRET', secret);

const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => void server.close());
const shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const options = {
  tenant: { secretKey },
  endpoints: [{ url: `${shop}/webhooks/ofage`, secret }],
  allowLoopbackWebhooks: true,
};
const test = base.extend(vitestFixtures({ createMockService, setupServer, options }));

async function ask(sessionId: string): Promise<unknown> {
  const response = await fetch(`${shop}/age-check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId }),
  });
  return response.json();
}

test.for([
  ['verified', 'customer-42', true],
  ['failed_age_not_met', 'customer-42', false],
  ['verified', 'customer-43', false], // the session of another customer
] as const)('after %s of %s, access is %s', async ([name, externalUserId, access], { ofage }) => {
  // Creates a session and ends it, without a browser.
  const { id } = await ofage.control.trigger({ name, externalUserId });
  expect(await ask(id)).toEqual({ access });
});

test('the webhook gives access if the provider does not respond', async ({ ofage }) => {
  const { id } = await ofage.control.trigger({ name: 'verified', externalUserId: 'customer-42' });
  await ofage.clock.advance(0); // sends the webhooks that are due, and waits for the responses
  await ofage.fault({ operation: 'validate', fault: '503' });
  expect(await ask(id)).toEqual({ access: true });
});
