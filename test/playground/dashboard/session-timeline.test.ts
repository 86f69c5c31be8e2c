import { expect, it } from 'vitest';
import { toTimeline } from '../../../playground/dashboard/session-timeline.ts';
import { createTestSession } from '../../../playground/dashboard/test-session.ts';
import { createProvider } from '../../../playground/shared/provider.ts';
import { createMockService } from '../../../mock-server/index.ts';

it.each([5, 0])(
  'toTimeline() puts causes before effects when the result comes after %i s',
  async (after) => {
    const service = createMockService({ clock: { frozen: true } });
    const { tenantId, secretKey } = await service.ready;
    await service.control.createEndpoint(tenantId, { url: 'https://shop.example/hooks' });
    const { sessionId } = await createTestSession(createProvider(service), secretKey, {
      returnUrl: 'http://localhost/',
      externalUserId: null,
    });
    await service.clock.advance(after * 1_000);
    await service.control.settle(sessionId, 'verified');
    const timeline = toTimeline({
      // The service lists requests newest first.
      requests: await service.control.requests({ sessionId }),
      events: await service.control.events({ sessionId }),
      deliveries: await service.control.deliveries({ sessionId }),
    });
    const [startedAt] = timeline.map(({ at }) => at);
    const seconds = (at: string) => (Date.parse(at) - Date.parse(startedAt!)) / 1_000;
    expect(timeline.map(({ kind, at }) => [seconds(at), kind])).toEqual([
      [0, 'request'],
      [0, 'event'],
      [0, 'delivery'],
      [after, 'event'],
      [after, 'delivery'],
    ]);
  },
);
