/** A page that has lost the SDK's result, with a real mock service and the real shop server. */
import { expect, it, vi } from 'vitest';
import { useShopPage, type ShopPage } from './a-shop-page.ts';

const { toNextStep } = await import('../../../playground/merchant/next-step.ts');

let my: ShopPage;
useShopPage((page) => (my = page));

const isShown = (kind: string) =>
  vi.waitFor(() => {
    const { hint, access, decision } = my.shop;
    expect(toNextStep(hint.value, access.value, decision.value).kind).toBe(kind);
  });

it.each([
  ['failed_age_not_met', 'failed'],
  ['cancelled', 'cancelled'],
  ['timeout', 'expired'],
] as const)(
  'the shop shows after a reload that an open check ended with %s',
  async (scenario, kind) => {
    const { sessionId } = await my.check();
    await my.reload();
    await isShown('unfinished');
    await my.client.settle(sessionId, scenario);
    await isShown(kind);
  },
);

it('the shop does not ask about a check whose session.started event arrives after its lifetime', async () => {
  const asked = vi.spyOn(my.shop.api, 'verification');
  await my.guide.begin('paused');
  await my.guide.begin('redelivered');
  await vi.waitFor(() => expect(my.shop.access.value?.webhooks).toHaveLength(2));
  expect(my.shop.access.value?.latestSessionId).toEqual(expect.any(String));
  expect(asked).not.toHaveBeenCalled();
  await isShown('closed');
});

it("the shop requests the server's decision once for each webhook, and not while the SDK is waiting", async () => {
  const { sessionId } = await my.check();
  my.shop.hint.value = { status: 'waiting', detail: null, from: 'verify()' };
  const asked = vi.spyOn(my.shop.api, 'verification');
  await my.service.clock.advance(0);
  await vi.waitFor(() => expect(my.shop.access.value?.webhooks).toHaveLength(1));
  expect(asked).not.toHaveBeenCalled();
  my.shop.hint.value = null;
  expect(asked).toHaveBeenCalledTimes(1);
  await isShown('unfinished');
  my.shop.access.value = await my.shop.api.access();
  expect(asked).toHaveBeenCalledTimes(1);
  await my.client.settle(sessionId, 'failed_age_not_met');
  await isShown('failed');
  expect(asked).toHaveBeenCalledTimes(2);
});

it('the shop clears the leaving state when the back/forward cache restores the page', async () => {
  await my.check();
  my.shop.hint.value = { status: 'leaving', detail: null, from: "the shop's server" };
  my.showAgain();
  await isShown('unfinished');
});
