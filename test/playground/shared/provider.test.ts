import { createMockService } from 'ofage/mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveMessage } from '../../../playground/shared/live.ts';
import { type Provider, createProvider } from '../../../playground/shared/provider.ts';

let service: ReturnType<typeof createMockService>;
let provider: Provider;
beforeEach(() => {
  service = createMockService({ clock: { frozen: true } });
  provider = createProvider(service);
});
afterEach(() => service.close());

describe('the provider', () => {
  it('rejects with a clear message when the service is unreachable', async () => {
    const dead = createProvider({
      apiOrigin: 'https://api.ofage.example',
      fetch: () => Promise.reject(new TypeError('fetch failed')),
    });
    await expect(dead.client.clock.read()).rejects.toMatchObject({
      status: null,
      message: 'Cannot reach the mock at https://api.ofage.example: is it running?',
    });
  });

  it('notifies all listeners over one stream until they unsubscribe', async () => {
    const asked = vi.fn(service.fetch);
    provider = createProvider({ fetch: asked, apiOrigin: 'https://api.ofage.example' });
    const received: [LiveMessage['topic'][], LiveMessage['topic'][]] = [[], []];
    const stops = received.map((topics) =>
      provider.live.subscribe(({ topic }) => topics.push(topic)),
    );
    await vi.waitFor(() => expect(received).toEqual([['reload'], ['reload']]));
    await service.control.trigger({ name: 'verified' });
    await vi.waitFor(() => expect(received[1]).toContain('event'));
    stops[0]?.();
    const { length } = received[0];
    await service.clock.advance(1);
    await vi.waitFor(() => expect(received[1]).toContain('clock'));
    expect(received[0]).toHaveLength(length);
    stops[1]?.();
    const streams = asked.mock.calls.filter(([{ url }]) => url.endsWith('/stream'));
    expect(streams).toHaveLength(1);
  });
});
