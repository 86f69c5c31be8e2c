/** The guide of the demo shop, with a real mock service and the real shop server. */
import { describe, expect, it, vi } from 'vitest';
import { useShopPage, type ShopPage } from './a-shop-page.ts';

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
