import { createMockService, type MockService } from 'ofage-mock';
import { toKitOptions } from './in-process.ts';
import { createMswReceiver } from './receivers.ts';
import type { ConformanceHost } from './suite.ts';

/** Starts any major version of MSW with these handlers, and with `answer` for requests to the receiver. */
type Listen = (
  handlers: MockService['handlers'],
  receiverUrls: string,
  answer: ReturnType<typeof createMswReceiver>['answer'],
) => { close(): void };

/** Creates a host behind MSW, in which requests and webhooks are intercepted `fetch` calls. */
export function createMswHost(listen: Listen): ConformanceHost {
  const { receiver, urlPattern, answer } = createMswReceiver();
  const service = createMockService();
  const server = listen(service.handlers, urlPattern, answer);
  return {
    options: toKitOptions(service, receiver),
    async close() {
      server.close();
      await service.close();
    },
  };
}
