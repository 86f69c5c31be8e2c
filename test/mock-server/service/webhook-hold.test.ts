import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../mock-server/api/state.ts';
import { aMock, answered, HOOK, type Mock, type MockOptions } from '../../support/a-mock.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';
import { withoutLoad } from '../../support/without-load.ts';

const LOCAL = 'http://127.0.0.1:4999/hook';
const LEGACY = 'https://legacy.example/hook';
const HOUR = 3_600_000;

/** Creates a state with queued webhooks to a public and a local address, and one that waits for its retry. */
async function aState(): Promise<Snapshot> {
  const there = await aMock({
    allowLoopbackWebhooks: true,
    answer: () => answered(500),
    // The time of a retry depends on the id of the delivery.
    seed: 1,
  });
  const { control, tenantId } = there;
  await control.createEndpoint(tenantId, { url: HOOK });
  await control.createEndpoint(tenantId, { url: LOCAL });
  const other = await control.createTenant({ name: 'Wine' });
  await control.createKeyPair(other.id);
  await control.putLegacyWebhook(other.id, { url: LEGACY });
  const { sessionId } = await there.create({ externalUserId: 'alice' });
  await control.settle(sessionId, 'verified');
  await there.clock.advance(100);
  await there.create({ externalUserId: 'bob' });
  await control.trigger({ name: 'verified', tenantId: other.id });
  // Waits for the requests in flight.
  await there.clock.advance(0);
  return control.snapshot();
}

/** Creates a mock that has loaded the state as a file. */
async function aHeldMock(options: MockOptions = {}): Promise<Mock & { snapshot: Snapshot }> {
  const snapshot = await aState();
  const my = await aMock({ allowLoopbackWebhooks: true, ...options });
  await my.control.loadSnapshot({ ...snapshot, webhooks: 'held' });
  return { ...my, snapshot };
}

const isHook = ({ url }: { url: string }): boolean => url !== LOCAL;

describe('a snapshot that is loaded with held webhooks', () => {
  it('sends nothing to public addresses, however far time moves, and names their hosts', async () => {
    const my = await aHeldMock();
    expect(await my.control.webhookHold()).toEqual({
      since: '2026-01-01T00:00:00.100Z',
      hosts: ['shop.example', 'legacy.example'],
    });
    const queued = await listQueued(my);
    for (let n = 0; n < 20; n += 1) await my.clock.next();
    await my.clock.advance(30 * 24 * HOUR);
    expect(my.sent.filter(isHook)).toEqual([]);
    expect(my.sent.length).toBeGreaterThan(0);
    // They neither expire nor count as failures, and nothing pauses their endpoints.
    expect(await listQueued(my)).toEqual(expect.arrayContaining(queued));
    const endpoints = await my.control.endpoints(my.snapshot.tables['tenants']![0]!.id);
    const held = endpoints.find(isHook);
    expect(held?.health).toMatchObject({ pausedAt: null, undelivered: 0 });
  });

  it('has no job for them, so that clock.next() goes to the next job and then stays', async () => {
    const my = await aHeldMock();
    for (let n = 0; n < 100; n += 1) await my.clock.next();
    const { now, nextDue } = await my.clock.read();
    expect(nextDue).toBeNull();
    expect(await my.clock.next()).toMatchObject({ now, nextDue });
  });

  it('sends all of them once they are released, also a month later', async () => {
    const my = await aHeldMock();
    await my.clock.advance(30 * 24 * HOUR);
    const queued = await listQueued(my);
    expect(queued.length).toBeGreaterThan(3);
    await my.control.releaseWebhooks();
    expect(await my.control.webhookHold()).toEqual({ since: null, hosts: [] });
    await my.clock.advance(1_000);
    const deliveries = await my.control.deliveries({ limit: 1_000 });
    const sent = deliveries.filter(({ id }) => queued.some((one) => one.id === id));
    expect(sent.map(({ status }) => status)).toEqual(queued.map(() => 'delivered'));
    expect(new Set(my.sent.filter(isHook).map(({ url }) => url))).toEqual(new Set([HOOK, LEGACY]));
  });

  it('keeps the attempts of a delivery, which goes on with its retries', async () => {
    const my = await aHeldMock({ answer: () => answered(500) });
    const [before] = (await my.control.deliveries({ limit: 1_000 })).filter(
      ({ url, event, attempts }) =>
        url === HOOK && event === 'verification.completed' && attempts.length === 1,
    );
    await my.clock.advance(48 * HOUR);
    await my.control.releaseWebhooks();
    await my.clock.advance(1_000);
    const after = (await my.control.deliveries({ limit: 1_000 })).find(
      ({ id }) => id === before?.id,
    );
    expect(after).toMatchObject({ status: 'pending', attempts: { length: 2 } });
    const [endpoint] = await my.control.endpoints(my.snapshot.tables['tenants']![0]!.id);
    expect(endpoint?.health).toMatchObject({ pausedAt: null });
  });

  it('does not test an endpoint there, and says why', async () => {
    const my = await aHeldMock();
    const [endpoint] = (await my.control.endpoints(my.snapshot.tables['tenants']![0]!.id)).filter(
      isHook,
    );
    await expect(my.control.testEndpoint(endpoint!.id)).rejects.toThrow(/are held.*send them/);
    await my.control.releaseWebhooks();
    expect(await my.control.testEndpoint(endpoint!.id)).toMatchObject({ httpStatus: 204 });
  });

  it('stays held after a restart', async () => {
    const memory = createSharedMemory();
    const log = () => createSharedMemoryLog(memory);
    const before = await aHeldMock({ log: log() });
    await before.service.close();
    const my = await aMock({ log: log(), allowLoopbackWebhooks: true });
    await my.clock.advance(HOUR);
    expect(my.sent.filter(isHook)).toEqual([]);
    expect((await my.control.webhookHold()).hosts).toHaveLength(2);
  });

  it('is free again after a reset', async () => {
    const my = await aHeldMock({ endpoints: [{ url: HOOK }] });
    await my.control.reset();
    expect(await my.control.webhookHold()).toEqual({ since: null, hosts: [] });
    await my.control.trigger({ name: 'verified' });
    await my.clock.advance(1_000);
    expect(my.sent.filter(isHook)).toHaveLength(2);
  });

  it('stays held if it is saved and loaded again', async () => {
    const my = await aHeldMock();
    const saved = await my.control.snapshot();
    await my.control.releaseWebhooks();
    await my.control.loadSnapshot(saved);
    expect((await my.control.webhookHold()).since).toBe('2026-01-01T00:00:00.100Z');
    expect(withoutLoad(await my.control.snapshot())).toEqual(saved);
    // The time at which it began is no secret, so it stays readable.
    const { takenAt } = await my.control.snapshot({ secrets: 'omit' });
    expect(takenAt).toBe('2026-01-01T00:00:00.100Z');
  });

  it('tells the pages to read everything again when it is released', async () => {
    const my = await aHeldMock();
    const response = await my.service.fetch(new Request('http://127.0.0.1/control/v1/stream'));
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    await my.control.releaseWebhooks();
    let text = '';
    while (!text.includes('event: reload')) text += (await reader.read()).value;
    await reader.cancel();
  });

  it('is not held if it has no public address', async () => {
    const my = await aMock({ allowLoopbackWebhooks: true, endpoints: [{ url: LOCAL }] });
    const snapshot = await my.control.snapshot();
    await my.control.loadSnapshot({ ...snapshot, webhooks: 'held' });
    expect(await my.control.webhookHold()).toEqual({ since: null, hosts: [] });
  });

  it.each<[{ webhooks?: string; settings?: { id: string; value: string }[] }, string]>([
    [{ webhooks: 'sent' }, 'webhooks must be "held" or absent'],
    [
      { settings: [{ id: 'webhook-hold', value: 'x' }] },
      'the time of the hold on its webhooks is not valid',
    ],
  ])('is refused with %j', async ({ settings = [], ...change }, reason) => {
    const my = await aMock();
    const snapshot = await my.control.snapshot();
    snapshot.tables['settings']?.push(...settings);
    await expect(my.control.loadSnapshot({ ...snapshot, ...change })).rejects.toThrow(reason);
  });
});

it('a snapshot without that mark is loaded exactly, and sends', async () => {
  const snapshot = await aState();
  const my = await aMock({ allowLoopbackWebhooks: true });
  await my.control.loadSnapshot(snapshot);
  expect(withoutLoad(await my.control.snapshot())).toEqual(snapshot);
  await my.clock.advance(HOUR);
  expect(my.sent.filter(isHook).length).toBeGreaterThan(2);
});

it.each([
  ['http://localhost:4999/', false],
  ['http://127.1.2.3/', false],
  ['http://[::1]:4999/', false],
  ['https://localhost.example/', true],
  ['https://127.0.0.1.example/', true],
  ['https://192.0.2.1/', true],
])('a webhook to %s is held: %s', async (url, isHeld) => {
  const my = await aMock({ allowLoopbackWebhooks: true, endpoints: [{ url: LOCAL }] });
  const snapshot: any = await my.control.snapshot();
  for (const row of [...snapshot.tables.endpoints, ...snapshot.tables.endpointHealth])
    row.url = url;
  for (const row of snapshot.tables.endpointHealth) row.id = `${row.endpointId} ${url}`;
  await my.control.loadSnapshot({ ...snapshot, webhooks: 'held' });
  expect((await my.control.webhookHold()).hosts).toEqual(isHeld ? [new URL(url).host] : []);
});

async function listQueued(my: Mock) {
  const deliveries = await my.control.deliveries({ limit: 1_000 });
  return deliveries
    .filter((delivery) => isHook(delivery) && delivery.status === 'pending')
    .map(({ id, attempts }) => ({ id, attempts: attempts.length }));
}
