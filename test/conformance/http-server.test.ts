import { createControlDriver } from 'ofage-mock/conformance';
import { startMockServer } from 'ofage-mock/node';
import { LOOPBACK_DESTINATIONS } from './receivers.ts';
import { conformanceSuite, HOST_CHECKS, NEEDS_SENDER } from './suite.ts';

conformanceSuite(
  'the HTTP server',
  async () => {
    const server = await startMockServer({ port: 0, allowLoopbackWebhooks: true });
    const { apiBase, publishableKey, secretKey } = server;
    const driver = createControlDriver(server.controlBase);
    return { options: { apiBase, publishableKey, secretKey, driver }, close: () => server.close() };
  },
  { checks: HOST_CHECKS, cannot: [...NEEDS_SENDER, LOOPBACK_DESTINATIONS] },
);
