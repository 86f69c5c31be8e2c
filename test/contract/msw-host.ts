import { createMockService, type MockService } from 'ofage/mock';
import { createMswReceiver } from './receiver.ts';
import type { ContractHost } from './world.ts';

/** Starts any major version of MSW with these handlers, and with `answer` at the receiver's URL. */
type Listen = (
  handlers: MockService['handlers'],
  receiverUrl: string,
  answer: ReturnType<typeof createMswReceiver>['answer'],
) => { close(): void };

/** Creates a host behind MSW, in which requests and webhooks are intercepted `fetch` calls. */
export function createMswHost(listen: Listen): ContractHost {
  const { receiver, answer } = createMswReceiver();
  const service = createMockService();
  const server = listen(service.handlers, receiver.url, answer);
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
}
