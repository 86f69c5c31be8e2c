import { startMockServer } from 'ofage/mock/node';
import { listenForWebhooks } from './receiver.ts';
import { contractSuite } from './suite.ts';

contractSuite('the HTTP server', async () => {
  const webhooks = await listenForWebhooks();
  const server = await startMockServer({ port: 0, allowLoopbackWebhooks: true });
  const { origin } = new URL(server.apiBase);
  return {
    send: (path, init) => fetch(origin + path, init),
    control: server.control,
    clock: server.clock,
    receiver: webhooks.receiver,
    async close() {
      await server.close();
      await webhooks.close();
    },
  };
});
