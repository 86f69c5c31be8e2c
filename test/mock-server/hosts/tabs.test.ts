import 'fake-indexeddb/auto';
import { createIndexedDbLog, createMockService, type MockService } from 'ofage/mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createManualClock, settle, type ManualClock } from '../../support/manual-clock.ts';
import { jsonHeaders, RETURN_URL } from '../../support/api.ts';

/** Two tabs of one origin. They are two services on one IndexedDB, each with its own timers. */
let tabs: { readonly service: MockService; readonly realClock: ManualClock }[] = [];
let count = 0;

function openTab(name: string, sent: string[]): (typeof tabs)[number] {
  const realClock = createManualClock();
  const service = createMockService({
    log: createIndexedDbLog({ name }),
    realClock,
    endpoints: [{ url: 'https://shop.example/hooks' }],
    sender: {
      async send({ body }) {
        sent.push((JSON.parse(new TextDecoder().decode(body)) as { event: string }).event);
        return { kind: 'response', status: 204, retryAfter: null, address: null, hops: 0 };
      },
    },
  });
  return { service, realClock };
}

/** Sending needs a signature, which is computed off the main thread and takes an unknown time. */
const WAIT = { timeout: 15_000 };

let sent: string[] = [];
beforeEach(async () => {
  sent = [];
  count += 1;
  tabs = [openTab(`tabs-${count}`, sent), openTab(`tabs-${count}`, sent)];
  for (const { service } of tabs) await service.ready;
});
afterEach(() => Promise.all(tabs.map(({ service }) => service.close())));

async function createSession(service: MockService): Promise<string> {
  const { secretKey } = await service.ready;
  const response = await service.fetch(
    new Request('https://api.ofage.example/api/v1/sessions/create', {
      method: 'POST',
      headers: jsonHeaders(secretKey),
      body: JSON.stringify({ returnUrl: RETURN_URL }),
    }),
  );
  return ((await response.json()) as { sessionId: string }).sessionId;
}

describe('the request log of two tabs', () => {
  it('is shared, and survives the tab that handled a request', async () => {
    const [a, b] = tabs;
    const sessionId = await createSession(a!.service);
    await a!.service.control.addObservation({ kind: 'access_granted', sessionId });
    // The service writes a request after its response.
    await a!.realClock.pass(0);
    await vi.waitFor(async () => {
      expect(await b!.service.control.requests()).toMatchObject([{ id: 1, sessionId }]);
    }, WAIT);
    await a!.service.close();
    await createSession(b!.service);
    expect(await b!.service.control.requests()).toMatchObject([{ id: 2 }, { id: 1 }]);
    expect(await b!.service.control.observations()).toMatchObject([{ sessionId }]);
  });
});

describe('the clock of two tabs', () => {
  it('is shared, so that each tab reads the changes of the other', async () => {
    const [a, b] = tabs.map(({ service }) => service);
    await a!.clock.freeze();
    const { now } = await a!.clock.advance(3_600_000);
    expect(await b!.clock.read()).toEqual({ now, frozen: true, nextDue: null });
    await b!.clock.resume();
    expect((await a!.clock.read()).frozen).toBe(false);
  });

  it('runs each due job once, no matter which tab moves the clock', async () => {
    const [a, b] = tabs.map(({ service }) => service);
    await a!.clock.freeze();
    const sessionId = await createSession(a!);
    await b!.clock.advance(600_000);
    expect((await a!.control.session(sessionId)).status).toBe('expired');
    await a!.clock.advance(0);
    expect([...sent].sort()).toEqual(['session.started', 'session.timeout']);
  });

  it('applies two moves at the same time, and then shows the same time in both tabs', async () => {
    const [a, b] = tabs.map(({ service }) => service);
    await a!.clock.freeze();
    const before = await a!.clock.now();
    await Promise.all([a!.clock.advance(1_000), b!.clock.advance(2_000)]);
    const after = await a!.clock.now();
    // A move advances from the time at which it started, so the two may overlap.
    expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(2_000);
    expect(after).toEqual(await b!.clock.now());
  });

  it('keeps running in the remaining tab after the other closes', async () => {
    const [a, b] = tabs;
    const sessionId = await createSession(a!.service);
    await a!.service.close();
    await vi.waitFor(async () => {
      await b!.realClock.pass(61_000);
      await settle();
      expect(sent).toContain('session.timeout');
    }, WAIT);
    expect(await b!.service.control.events({ sessionId })).toHaveLength(2);
  });
});
