import { http } from 'msw';
import { setupServer } from 'msw/node';
import { createMockService } from 'ofage/mock';
import { createMswReceiver } from './receiver.ts';
import { contractSuite } from './suite.ts';

contractSuite('MSW 3 in Node', async () => {
  const { receiver, answer } = createMswReceiver();
  const service = createMockService();
  const server = setupServer(...service.handlers, http.post(receiver.url, answer));
  server.listen({ onUnhandledFrame: 'error' });
  return {
    send: (path, init) => fetch(`https://api.ofage.example${path}`, init),
    control: service.control,
    clock: service.clock,
    receiver,
    async close() {
      server.close();
      await service.close();
    },
  };
});
