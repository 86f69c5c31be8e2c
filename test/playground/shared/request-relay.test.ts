import { createMockService, type RequestResource } from 'ofage/mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  clearRelayedRequests,
  onRelayedRequest,
  readRelayedRequests,
  relayRequests,
} from '../../../playground/shared/request-relay.ts';
import { aStorage } from './a-storage.ts';

let service: ReturnType<typeof createMockService>;
let my: ReturnType<typeof aStorage>;
beforeEach(() => {
  my = aStorage();
  service = createMockService();
});
afterEach(async () => {
  await service.close();
  vi.unstubAllGlobals();
});

describe('the requests of a tab', () => {
  it('are there for the inspector in another one, without secrets', async () => {
    const { secretKey } = await service.ready;
    const heard: RequestResource[] = [];
    const stop = onRelayedRequest((request) => heard.push(request));
    const relaying = relayRequests(service);
    const ask = (): Promise<Response> =>
      service.fetch(
        new Request(`${service.apiOrigin}/api/v1/sessions/create`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secretKey}` },
        }),
      );
    // The stream may open after the first of them.
    await vi.waitFor(async () => {
      await ask();
      expect(heard.length).toBeGreaterThan(0);
    });
    stop();
    expect(readRelayedRequests()[0]).toMatchObject({ operation: 'create', status: 400 });
    expect(JSON.stringify([...my.items])).not.toContain(secretKey.slice(8));
    clearRelayedRequests();
    expect(readRelayedRequests()).toEqual([]);
    await service.close();
    await relaying;
  });

  it('leave out what another script has put there', () => {
    my.items.set('ofage-playground:request:a', '{"id":"1"}');
    my.items.set('ofage-playground:request:b', 'null');
    expect(readRelayedRequests()).toEqual([]);
  });
});
