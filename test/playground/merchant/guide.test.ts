/** The guide of the demo shop, with a real mock service and the real shop server. */
import { effect } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { useShopPage, type ShopPage } from './a-shop-page.ts';

const { isRefused } = await import('../../../playground/merchant/tasks.ts');
const { toWebhookRows } = await import('../../../playground/merchant/webhook-rows.ts');
const { askServer, checkOut } = await import('../../../playground/merchant/shop.ts');

let my: ShopPage;
useShopPage((page) => (my = page));

const isDone = (id: string) => vi.waitFor(() => expect(my.guide.done.value).toContain(id));

describe('a task of the guide', () => {
  it('is done once the service has recorded the outcome of the task', async () => {
    const { guide, check, client } = my;
    await guide.begin('failed');
    expect(guide.current.value).toBe('failed');
    const { sessionId } = await check();
    await client.settle(sessionId, 'failed_age_not_met');
    await isDone('failed');
    expect(guide.current.value).toBeNull();
    expect(guide.result.value).toEqual({ task: 'failed', text: 'Done.' });
    expect(guide.done.value).toEqual(['failed']);
  });

  it('is done after an order, which the live stream does not report', async () => {
    const { guide, check, client, shop } = my;
    await guide.begin('purchase');
    const { sessionId } = await check();
    await client.settle(sessionId, 'verified');
    await askServer(shop, sessionId);
    expect(shop.access.value?.access).toBe(true);
    expect(guide.done.value).not.toContain('purchase');
    await checkOut(shop);
    await isDone('purchase');
  });

  it('is not completed by an earlier session', async () => {
    const { guide, check, client } = my;
    await client.settle((await check()).sessionId, 'cancelled');
    await isDone('cancelled');
    await guide.begin('cancelled');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(guide.current.value).toBe('cancelled');
    await client.settle((await check()).sessionId, 'cancelled');
    await vi.waitFor(() => expect(guide.current.value).toBeNull());
  });

  it('moves the clock once the hosted page is open', async () => {
    const { guide, check, service } = my;
    const began = await service.clock.now();
    await guide.begin('expired');
    const { token } = await check();
    expect(guide.done.value).not.toContain('expired');
    await my.ask('/hosted/v1/heartbeat', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    await isDone('expired');
    expect((await service.clock.now()).getTime() - began.getTime()).toBe(10 * 60_000);
  });
});

it('the guide pauses the webhooks, redelivers the missed events and resets all tasks', async () => {
  const { guide, client, demo } = my;
  const shown: string[] = [];
  const stop = effect(() => {
    if (guide.done.value.length > 0) shown.push(guide.result.value?.text ?? '');
  });
  await guide.begin('paused');
  expect(guide.result.value?.text).toContain('paused');
  expect(guide.isRefusing.value).toBe(true);
  await isDone('paused');
  stop();
  // A task that is marked as done must not still say that it is running.
  expect(shown).not.toContain('One moment…');
  const rejected = guide.deliveries.value.filter(isRefused).map(({ event }) => event);
  expect(rejected).toContain('verification.cancelled');
  await guide.begin('redelivered');
  expect(guide.result.value?.text).toContain('redelivered');
  expect(guide.isRefusing.value).toBe(false);
  await isDone('redelivered');
  await vi.waitFor(() => expect(guide.deliveries.value.filter(isRefused)).toEqual([]));
  await vi.waitFor(() => {
    const webhooks = my.shop.access.value?.webhooks ?? [];
    const rows = toWebhookRows(webhooks, guide.deliveries.value);
    const shown = rows
      .map(({ event, result, isLate }) => `${event} ${result} ${isLate}`)
      .toSorted();
    expect(shown).toEqual([
      'session.started redelivered true',
      'verification.cancelled redelivered true',
    ]);
  });
  // The task cancelled its own session. This must not complete the task `cancelled`, which waits for the
  // shopper.
  expect(guide.done.value).toEqual(['paused', 'redelivered']);
  const [endpoint] = await client.endpoints(demo.tenantId);
  expect(guide.endpointId.value).toBe(endpoint?.id);
  expect(endpoint?.health).toMatchObject({ state: 'healthy', undelivered: 0 });

  // After a second pause there are events to redeliver again.
  await client.settle((await my.check()).sessionId, 'failed_age_not_met');
  await isDone('failed');
  await guide.begin('paused');
  await vi.waitFor(() => expect(guide.done.value).toEqual(['failed', 'paused']));
  expect(guide.hasMissedEvents.value).toBe(true);
  await guide.begin('redelivered');
  await isDone('redelivered');
  await vi.waitFor(() => expect(guide.hasMissedEvents.value).toBe(false));

  await guide.startOver();
  expect(guide.done.value).toEqual([]);
  // The deliveries remain in the service but do not complete their tasks again.
  await client.trigger({ name: 'cancelled' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(guide.done.value).toEqual([]);
});

it('the guide keeps the progress after a reload, but not that of an earlier service', async () => {
  await my.client.settle((await my.check()).sessionId, 'failed_age_not_met');
  await isDone('failed');
  await my.reload();
  expect(my.guide.done.value).toEqual(['failed']);
  localStorage.setItem('kontor:service', 'pk_of_an_earlier_service');
  localStorage.setItem('kontor:done', 'purchase failed cancelled');
  await my.reload();
  // At this service, this customer has only failed a check.
  await isDone('failed');
  expect(my.guide.done.value).toEqual(['failed']);
});

it('the guide does not mark the tasks that another visitor completed', async () => {
  const { client, demo, shop } = my;
  const [endpoint] = await client.endpoints(demo.tenantId);
  await shop.api.setReceiver(true);
  await client.trigger({ name: 'cancelled', tenantId: demo.tenantId });
  await client.clock.advance(75 * 60_000);
  expect((await client.endpoint(endpoint!.id)).health.state).toBe('paused');
  await shop.api.setReceiver(false);
  await client.resumeEndpoint(endpoint!.id);
  expect(await client.redeliver(endpoint!.id)).not.toMatchObject({ queued: 0 });
  await client.clock.advance(60_000);
  // Once this later task is marked as done, the guide has read the records of the earlier ones.
  await client.settle((await my.check()).sessionId, 'failed_age_not_met');
  await isDone('failed');
  expect(my.guide.done.value).toEqual(['failed']);
});

it("the page shows the state of the shop's server after a webhook or a validation", async () => {
  const { shop, check, client } = my;
  const { sessionId } = await check();
  await client.settle(sessionId, 'verified');
  const received = { event: 'verification.completed', sessionId };
  await vi.waitFor(() =>
    expect(shop.access.value?.webhooks).toContainEqual(expect.objectContaining(received)),
  );
  // Simulates another tab.
  await shop.api.verification(sessionId);
  await vi.waitFor(() => expect(shop.access.value).toMatchObject({ access: true, by: 'validate' }));
  expect(shop.publishableKey.value).toBe(my.demo.publishableKey);
  expect(shop.outage.value).toBeNull();
});
