import { expect, it, vi } from 'vitest';
import type { LiveMessage } from '../../../playground/shared/live.ts';
import { createProvider } from '../../../playground/shared/provider.ts';
import { aMock } from '../../support/a-mock.ts';

it('the provider notifies all listeners over one stream until they unsubscribe', async () => {
  const { service, control, clock } = await aMock();
  const asked = vi.fn(service.fetch);
  const { live } = createProvider({ fetch: asked, apiOrigin: service.apiOrigin });
  const received: [LiveMessage['topic'][], LiveMessage['topic'][]] = [[], []];
  const stops = received.map((topics) => live.subscribe(({ topic }) => topics.push(topic)));
  await vi.waitFor(() => expect(received).toEqual([['reload'], ['reload']]));
  await control.trigger({ name: 'verified' });
  await vi.waitFor(() => expect(received[1]).toContain('event'));
  stops[0]?.();
  const { length } = received[0];
  await clock.advance(1);
  await vi.waitFor(() => expect(received[1]).toContain('clock'));
  expect(received[0]).toHaveLength(length);
  stops[1]?.();
  const streams = asked.mock.calls.filter(([{ url }]) => url.endsWith('/stream'));
  expect(streams).toHaveLength(1);
});
