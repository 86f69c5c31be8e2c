import { http, RequestHandler } from 'msw-2';
import { setupServer } from 'msw-2/node';
import { createMockService } from 'ofage-mock';
import { expect, it, vi } from 'vitest';
import { createMswHost } from './msw-host.ts';
import { conformanceSuite, HOST_CHECKS, NEEDS_SENDER } from './suite.ts';

// An application that still uses MSW 2 has this version under the name `msw`.
vi.mock('msw', () => import('msw-2'));

conformanceSuite(
  'MSW 2.15 in Node',
  async () =>
    createMswHost((handlers, urls, answer) => {
      const server = setupServer(...(handlers as never[]), http.post(urls, answer));
      server.listen({ onUnhandledRequest: 'error' });
      return server;
    }),
  { checks: HOST_CHECKS, cannot: NEEDS_SENDER },
);

it('the service creates handlers of MSW 2', () => {
  const { handlers } = createMockService();
  expect(handlers.every((handler) => handler instanceof RequestHandler)).toBe(true);
});
