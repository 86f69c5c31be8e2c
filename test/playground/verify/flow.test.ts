import { describe, expect, it } from 'vitest';
import { L2, open, service, useChecks } from './a-check.ts';

useChecks();

describe('a shopper on the hosted page', () => {
  it('goes from the intro through one picture to the result, and the shop is told once', async () => {
    const { flow, left, sessionId } = await open();
    await flow.load();
    expect(flow.view.value.name).toBe('intro');
    flow.begin();
    expect(flow.view.value).toMatchObject({ name: 'capture', step: 'face', total: 1 });
    await flow.captured();
    expect(flow.view.value).toMatchObject({ name: 'result', ending: { status: 'verified' } });
    await flow.refresh();
    expect(left.map(({ message }) => message)).toMatchObject([{ sessionId, status: 'verified' }]);
  });

  it('shows both sides of a document and a selfie in L2', async () => {
    const { flow } = await open({ tenant: L2, skipIntro: true });
    await flow.load();
    expect(flow.view.value).toMatchObject({ step: 'front', index: 0, total: 3 });
    await flow.captured();
    expect(flow.view.value).toMatchObject({ step: 'back', index: 1 });
    await flow.captured();
    expect(flow.view.value).toMatchObject({ step: 'selfie', index: 2 });
    await flow.captured();
    expect(flow.view.value.name).toBe('result');
  });

  it('shows no selfie in L2 where faces are not matched', async () => {
    const { flow } = await open({
      tenant: { policy: { verificationMode: 'L2', faceMatchEnabled: false } },
      skipIntro: true,
    });
    await flow.load();
    await flow.captured();
    await flow.captured();
    expect(flow.view.value.name).toBe('result');
  });

  it('shows a document in L1 when the estimate is below the threshold', async () => {
    const { flow } = await open({ skipIntro: true, chosenOutcome: () => 'verified_after_id' });
    await flow.load();
    await flow.captured();
    expect(flow.view.value).toMatchObject({ name: 'capture', step: 'front', index: 1, total: 4 });
    for (let picture = 0; picture < 3; picture += 1) await flow.captured();
    expect(flow.view.value).toMatchObject({ ending: { status: 'verified' } });
  });

  it('comes to an end when the sandbox needs no document any more, but one is being shown', async () => {
    let outcome = 'verified_after_id';
    const { flow } = await open({ skipIntro: true, chosenOutcome: () => outcome });
    await flow.load();
    await flow.captured();
    outcome = 'verified';
    for (let picture = 0; picture < 3; picture += 1) await flow.captured();
    expect(flow.view.value).toMatchObject({ ending: { status: 'verified' } });
  });

  it.each([
    { outcome: 'failed_age_not_met', pictures: 3, reason: 'age_not_met' },
    { outcome: 'failed_document_rejected', pictures: 3, reason: 'document_rejected' },
    { outcome: 'failed_face_mismatch', pictures: 4, reason: 'face_mismatch' },
  ])(
    'gets the outcome that the sandbox was set to: $outcome, after $pictures pictures',
    async ({ outcome, pictures, reason }) => {
      const { flow } = await open({ skipIntro: true, chosenOutcome: () => outcome });
      await flow.load();
      for (let picture = 1; picture < pictures; picture += 1) await flow.captured();
      expect(flow.view.value.name).toBe('capture');
      await flow.captured();
      expect(flow.view.value).toMatchObject({ ending: { status: 'failed' } });
      expect(flow.session.value?.reason).toBe(reason);
    },
  );

  it('gets the outcome that was preset, whatever the chooser says', async () => {
    const { flow } = await open({
      skipIntro: true,
      create: { externalUserId: 'ofage_test:failed_document_rejected:anna' },
      chosenOutcome: () => 'verified',
    });
    await flow.load();
    for (let picture = 0; picture < 3; picture += 1) await flow.captured();
    expect(flow.session.value?.reason).toBe('document_rejected');
  });

  it('waits where the outcome is that nothing happens', async () => {
    const { flow, left } = await open({ skipIntro: true, chosenOutcome: () => 'never' });
    await flow.load();
    await flow.captured();
    expect(flow.view.value.name).toBe('processing');
    expect(left).toEqual([]);
  });

  it('goes no further when the check ends while a picture is looked at', async () => {
    const { flow, left, sessionId } = await open({
      skipIntro: true,
      chosenOutcome: () => 'verified_after_id',
      wait: async () => {
        await service.control.settle(sessionId, 'cancelled');
        await flow.refresh();
      },
    });
    await flow.load();
    await flow.captured();
    expect(flow.view.value.name).toBe('result');
    expect(left).toMatchObject([{ status: 'cancelled' }]);
  });

  it('cancels by the button', async () => {
    const { flow, left, statusOf } = await open();
    await flow.load();
    await flow.cancel();
    expect(left).toMatchObject([{ status: 'cancelled', shownMs: 0 }]);
    expect(await statusOf()).toBe('cancelled');
  });

  it('tells the shop once when the button is clicked twice', async () => {
    const { flow, left } = await open();
    await flow.load();
    await Promise.all([flow.cancel(), flow.cancel(), flow.refresh()]);
    expect(left).toHaveLength(1);
  });

  it('sees the page of an expired session once the ten minutes are over', async () => {
    const { flow, left } = await open();
    await flow.load();
    await service.clock.advance(600_000);
    await flow.refresh();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'expired' });
    expect(left).toEqual([]);
  });

  it('follows when the session is settled elsewhere, even at the moment of a click', async () => {
    const { flow, left, sessionId } = await open({ skipIntro: true });
    await flow.load();
    await service.control.settle(sessionId, 'failed_age_not_met');
    await flow.captured();
    expect(left).toMatchObject([{ status: 'failed' }]);
  });

  it('is cancelled 5 s after leaving, unless the page comes back', async () => {
    const { flow, network, statusOf } = await open();
    await flow.load();
    const leave = async () => {
      flow.leave();
      await network.mock.results.at(-1)?.value;
    };
    await leave();
    await service.clock.advance(4_000);
    await flow.refresh();
    await service.clock.advance(60_000);
    expect(await statusOf()).toBe('pending');
    await leave();
    await service.clock.advance(5_000);
    expect(await statusOf()).toBe('cancelled');
  });

  it('sends no farewell after the end, which would be noise', async () => {
    const { flow, network } = await open();
    await flow.load();
    await flow.cancel();
    const calls = network.mock.calls.length;
    flow.leave();
    expect(network.mock.calls.length).toBe(calls);
  });

  it('is told to try again while nobody answers, and can', async () => {
    const { flow, network } = await open({ skipIntro: true });
    await flow.load();
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await flow.captured();
    expect(flow.isOffline.value).toBe(true);
    expect(flow.view.value.name).toBe('capture');
    await flow.captured();
    expect(flow.isOffline.value).toBe(false);
    expect(flow.view.value.name).toBe('result');
  });
});

describe('a picture that is not usable', () => {
  it('is taken again on the same session, and the check goes on', async () => {
    const blurs = [true];
    const { flow, statusOf } = await open({ tenant: L2, takeBlur: () => blurs.pop() ?? false });
    await flow.load();
    flow.begin();
    await flow.captured();
    expect(flow.view.value).toMatchObject({ name: 'retake', step: 'front' });
    expect(flow.session.value?.retriesLeft).toBe(2);
    await flow.retake();
    expect(flow.view.value).toMatchObject({ name: 'capture', step: 'front' });
    expect(flow.session.value?.retriesLeft).toBe(1);
    for (let picture = 0; picture < 3; picture += 1) await flow.captured();
    expect(await statusOf()).toBe('verified');
  });

  it.each([
    { by: 'chooser', ports: { chosenOutcome: () => 'failed_image_quality' } },
    { by: 'preset', ports: { create: { externalUserId: 'ofage_test:failed_image_quality' } } },
  ])('fails the check when no retry is left, by $by', async ({ ports }) => {
    const { flow } = await open({ skipIntro: true, ...ports });
    await flow.load();
    for (let retry = 0; retry < 2; retry += 1) {
      await flow.captured();
      expect(flow.view.value.name).toBe('retake');
      await flow.retake();
    }
    await flow.captured();
    expect(flow.view.value).toMatchObject({ ending: { status: 'failed' } });
    expect(flow.session.value?.reason).toBe('image_quality');
  });

  it('waits for its retry through a reload', async () => {
    const { flow, reload } = await open({ skipIntro: true, takeBlur: () => true });
    await flow.load();
    await flow.captured();
    const again = reload();
    await again.load();
    expect(again.view.value).toMatchObject({ name: 'retake', step: 'face' });
  });
});
