import { setupServer } from 'msw/node';
import { createMockService } from 'ofage/mock';
import { startMockServer } from 'ofage/mock/node';
import { createManualClock } from '../../support/manual-clock.ts';
import { describe, expect, it } from 'vitest';
import { aMock } from '../../support/a-mock.ts';
import { openStream, stream } from './open-stream.ts';

describe('the live stream', () => {
  it('sends a keep-alive every 2 seconds of real time', async () => {
    const realClock = createManualClock();
    const my = await aMock({ realClock });
    const before = realClock.sleepers;
    const live = openStream(await my.service.fetch(stream()));
    expect(await live.block()).toMatch(/^retry: 1000\nid: [\w-]+$/);
    await realClock.pass(2_000);
    expect(await live.block()).toBe(': still here');
    await realClock.pass(2_000);
    expect(await live.block()).toBe(': still here');
    await live.close();
    // The timer stops after the listener has disconnected.
    expect(realClock.sleepers).toBe(before);
  });

  it('ends when the service is closed', async () => {
    const my = await aMock();
    const live = openStream(await my.service.fetch(stream()));
    await live.block();
    await my.service.close();
    expect(await live.block()).toBeNull();
  });

  it('disconnects a listener that does not read', async () => {
    const my = await aMock();
    const live = openStream(await my.service.fetch(stream('?topics=session')));
    for (let n = 0; n < 1_100; n += 1) {
      if (n % 250 === 0) await my.clock.advance(60_000);
      await my.create();
    }
    await expect(live.read(1_100)).rejects.toThrow('The stream ended after');
  });

  it('works over a socket', async () => {
    const server = await startMockServer({ port: 0 });
    const controller = new AbortController();
    const live = openStream(
      await fetch(`${server.controlBase}/stream?topics=tenant`, { signal: controller.signal }),
    );
    await live.block();
    const { id } = await server.control.createTenant({ name: 'Wine' });
    expect((await live.read(1))[0]?.data).toMatchObject({ id, name: 'Wine' });
    controller.abort();
    await server.close();
  });

  it('works through MSW', async () => {
    const service = createMockService();
    const msw = setupServer(...service.handlers);
    msw.listen();
    const live = openStream(
      await fetch('https://api.ofage.example/control/v1/stream?topics=tenant'),
    );
    await live.block();
    const { id } = await service.control.createTenant();
    expect((await live.read(1))[0]?.data.id).toBe(id);
    await live.close();
    msw.close();
    await service.close();
  });
});
