import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createHostedApi } from '../../../playground/verify/hosted-api.ts';
import { ORIGIN, open, service, useChecks } from './a-check.ts';

useChecks();

describe('with two devices', () => {
  it('the second device continues, and the first device notifies the shop at the end', async () => {
    const { flow, onSecond, left } = await open();
    await flow.load();
    flow.handOff();
    expect(flow.view.value.name).toBe('handoff');
    const second = onSecond();
    await second.load();
    expect(second.view.value.name).toBe('intro');
    await flow.refresh();
    expect(flow.view.value.name).toBe('following');
    second.begin();
    await second.captured();
    expect(second.view.value).toMatchObject({ ending: { status: 'verified' } });
    await flow.refresh();
    expect(left).toMatchObject([{ status: 'verified' }]);
  });

  it('the first device continues again when the shopper chooses to', async () => {
    const { flow, onSecond } = await open({ skipIntro: true });
    await flow.load();
    const second = onSecond();
    await second.load();
    await flow.refresh();
    await flow.continueHere();
    expect(flow.view.value).toMatchObject({ name: 'resume', step: 'face' });
    await second.refresh();
    expect(second.view.value.name).toBe('following');
  });

  it('the first device continues again when the page on the second device is closed', async () => {
    const { flow, onSecond, network } = await open();
    await flow.load();
    const second = onSecond();
    await second.load();
    await flow.refresh();
    second.leave();
    await network.mock.results.at(-1)?.value;
    await flow.refresh();
    expect(flow.view.value.name).toBe('intro');
  });

  it('a picture of the first device has no effect if the second device becomes active meanwhile', async () => {
    const { flow, onSecond } = await open({
      skipIntro: true,
      wait: async () => {
        await second.load();
        await flow.refresh();
      },
    });
    const second = onSecond();
    await flow.load();
    await flow.captured();
    expect(flow.view.value.name).toBe('following');
    expect(second.session.value?.status).toBe('pending');
  });

  it('the second device shows a notice for a code whose session has ended', async () => {
    const { onSecond, sessionId } = await open();
    await service.control.settle(sessionId, 'verified');
    const second = onSecond();
    await second.load();
    expect(second.view.value).toEqual({ name: 'notice', kind: 'used' });
  });
});

describe('the page shows a notice', () => {
  beforeEach(() => vi.unstubAllGlobals());

  it('for a link without a session', async () => {
    const { flow } = await open({ api: null });
    await flow.load();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'invalid' });
  });

  it('for a link with a changed token', async () => {
    const { flow } = await open({ api: createHostedApi(ORIGIN, 'v1.x.y') });
    await flow.load();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'invalid' });
  });

  it('for a link that was already used', async () => {
    const { flow, left, sessionId } = await open();
    await service.control.settle(sessionId, 'verified');
    await flow.load();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'used' });
    expect(left).toEqual([]);
  });

  it('for a session that billing blocks', async () => {
    const billingBlock = { code: 'PLAN_LIMIT_REACHED', message: 'The plan is used up' } as const;
    const { flow } = await open({ tenant: { billingBlock } });
    await flow.load();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'billing' });
    expect(flow.session.value?.billingBlock?.message).toBe('The plan is used up');
  });

  it('while the service is unreachable, and the intro afterwards', async () => {
    const { flow, network } = await open();
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await flow.load();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'unavailable' });
    await flow.load();
    expect(flow.view.value.name).toBe('intro');
  });
});
