import { http } from 'msw';
import { setupServer } from 'msw/node';
import { createMswHost } from './msw-host.ts';
import { contractSuite } from './suite.ts';

contractSuite('MSW 3 in Node', async () =>
  createMswHost((handlers, url, answer) => {
    const server = setupServer(...handlers, http.post(url, answer));
    server.listen({ onUnhandledFrame: 'error' });
    return server;
  }),
);
