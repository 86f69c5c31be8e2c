import { http } from 'msw';
import { setupServer } from 'msw/node';
import { createMswHost } from './msw-host.ts';
import { conformanceSuite, HOST_CHECKS, NEEDS_SENDER } from './suite.ts';

conformanceSuite(
  'MSW 3 in Node',
  async () =>
    createMswHost((handlers, urls, answer) => {
      const server = setupServer(...handlers, http.post(urls, answer));
      server.listen({ onUnhandledFrame: 'error' });
      return server;
    }),
  { checks: HOST_CHECKS, cannot: NEEDS_SENDER },
);
