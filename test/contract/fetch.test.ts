import { createMockService } from 'ofage/mock';
import { createSenderReceiver } from './receiver.ts';
import { contractSuite } from './suite.ts';

contractSuite('in process, through fetch', async () => {
  const { sender, receiver } = createSenderReceiver();
  const service = createMockService({ sender });
  return {
    send: (path, init) => service.fetch(new Request(`https://api.ofage.example${path}`, init)),
    control: service.control,
    clock: service.clock,
    receiver,
    close: () => service.close(),
  };
});
