import { http, RequestHandler } from 'msw-2';
import { setupServer } from 'msw-2/node';
import { createMockService } from 'ofage/mock';
import { expect, it, vi } from 'vitest';
import { createMswReceiver } from './receiver.ts';
import { contractSuite } from './suite.ts';

// What an application that is still on MSW 2 has under this name.
vi.mock('msw', () => import('msw-2'));

contractSuite('MSW 2.15 in Node', async () => {
  const { receiver, answer } = createMswReceiver();
  const service = createMockService();
  const server = setupServer(...(service.handlers as never[]), http.post(receiver.url, answer));
  server.listen({ onUnhandledRequest: 'error' });
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

it('is really MSW 2', () => {
  const { handlers } = createMockService();
  expect(handlers.every((handler) => handler instanceof RequestHandler)).toBe(true);
});
