import { describe, expect, it, vi } from 'vitest';
import { systemClock, type RealClock } from '../../../mock-server/store/clock.ts';
import { answered, createScene, HOUR, JANUARY, MINUTE } from './scene.ts';

const toIso = (ms: number): string => new Date(JANUARY + ms).toISOString();

describe('the time of the last success', () => {
  it('is kept after the URL is changed', async () => {
    const { control, endpointId, complete, advance, health } = await createScene(() =>
      answered(204),
    );
    await complete();
    await advance(MINUTE);
    await control.updateEndpoint(endpointId, { url: 'https://other.example/' });
    expect(await health()).toMatchObject({ state: 'healthy', lastSuccessAt: toIso(0) });
    // The new URL has not accepted a request yet.
    await expect(control.redeliver(endpointId)).rejects.toThrow(/none was sent yet/);
  });

  it('is updated when a former URL accepts a request', async () => {
    const { control, endpointId, complete, advance, health } = await createScene(() =>
      answered(204),
    );
    await complete();
    await control.updateEndpoint(endpointId, { url: 'https://other.example/' });
    await advance(MINUTE);
    expect(await health()).toMatchObject({ state: 'healthy', lastSuccessAt: toIso(0) });
    await expect(control.redeliver(endpointId)).rejects.toThrow(/none was sent yet/);
  });
});

describe("the service, after the machine's clock was set back,", () => {
  it('still sends new events after a failure without Retry-After', async () => {
    let offsetMs = 0;
    const realClock: RealClock = {
      now: () => Date.now() + offsetMs,
      wakeAt: (atMs, wake) => systemClock.wakeAt(atMs - offsetMs, wake),
    };
    const scene = await createScene((_url, n) => answered(n === 1 ? 500 : 204), {
      clock: {},
      realClock,
    });
    await scene.complete();
    await vi.waitFor(async () => {
      expect(await scene.health()).toMatchObject({ consecutiveFailures: 1 });
    }, 10_000);
    offsetMs = -HOUR;
    const sessionId = await scene.complete();
    await vi.waitFor(() => expect(scene.sent).toHaveLength(2), 10_000);
    expect(scene.sent[1]?.body).toContain(sessionId);
    await scene.service.close();
  });
});
