import { createControlDriver } from 'ofage/conformance';
import { createMockService } from 'ofage/mock';
import { createSenderReceiver, FOLLOWED_REDIRECT } from './receivers.ts';
import { conformanceSuite } from './suite.ts';

conformanceSuite(
  'in process, through fetch',
  async () => {
    const { sender, receiver } = createSenderReceiver();
    const service = createMockService({ sender });
    return {
      options: {
        apiBase: `${service.apiOrigin}/api/v1`,
        secretKey: 'unused',
        publishableKey: 'unused',
        driver: createControlDriver(service),
        receiver,
        fetch: (url, init) => service.fetch(new Request(url, init)),
      },
      close: () => service.close(),
    };
  },
  // The sender of this test follows no redirects.
  [FOLLOWED_REDIRECT],
);
