/** The demo shop's account at a running mock. */
import { expect, it, onTestFinished } from 'vitest';
import { startMockServer } from '../../../mock-server/hosts/node-server.ts';
import { findEndpoint } from '../../../playground/demo/account.ts';

it("findEndpoint() returns the endpoint of the demo shop, and not that of a copy of the shop's server", async () => {
  const copy = { url: 'http://127.0.0.1:3000/shop/webhooks/ofage' };
  const server = await startMockServer({
    port: 0,
    tenants: [{ name: 'Shop', endpoints: [copy] }],
    allowLoopbackWebhooks: true,
    shopBackend: 'http://127.0.0.1:4011',
  });
  onTestFinished(() => server.close());
  const endpoints = await server.control.endpoints(server.tenantId);
  expect(endpoints).toHaveLength(2);
  expect(new URL(findEndpoint(endpoints)!.url).port).toBe('4011');
});
