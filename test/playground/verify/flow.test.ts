import { describe, expect, it } from 'vitest';
import type { Flow } from '../../../playground/verify/flow.ts';
import type { IdDocument } from '../../../playground/verify/steps.ts';
import { L2, open, service, useChecks } from './a-check.ts';

useChecks();

describe('a shopper on the hosted page', () => {
  it('reaches the result after the intro and one picture, and the shop is notified once', async () => {
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

  it('skips the back of a passport, and sends the same requests as with an ID card', async () => {
    const requestsWith = async (document: IdDocument) => {
      const { flow, network } = await open({ tenant: L2, skipIntro: true });
      await flow.load();
      flow.chooseDocument(document);
      await flow.captured();
      const { step } = flow.view.value as { step?: string };
      while (flow.view.value.name === 'capture') await flow.captured();
      expect(flow.view.value).toMatchObject({ name: 'result', ending: { status: 'verified' } });
      const requests = network.mock.calls.map(([url, { body }]) => `${url} ${String(body)}`);
      await service.close();
      return { step, requests };
    };
    const card = await requestsWith('id_card');
    const passport = await requestsWith('passport');
    expect([card.step, passport.step]).toEqual(['back', 'selfie']);
    expect(passport.requests).toEqual(card.requests);
  });

  it('can choose the document only while its first picture is due', async () => {
    const { flow } = await open({ tenant: L2, skipIntro: true });
    await flow.load();
    flow.chooseDocument('passport');
    expect(flow.view.value).toMatchObject({ step: 'front', total: 2, document: 'passport' });
    flow.chooseDocument('driving_licence');
    await flow.captured();
    flow.chooseDocument('passport');
    expect(flow.view.value).toMatchObject({ step: 'back', total: 3, document: 'driving_licence' });
  });

  it('must show a document in L1 when the estimate is below the threshold', async () => {
    const { flow } = await open({ skipIntro: true, chosenOutcome: () => 'verified_after_id' });
    await flow.load();
    await flow.captured();
    expect(flow.view.value).toMatchObject({ name: 'capture', step: 'front', index: 1, total: 4 });
    for (let picture = 0; picture < 3; picture += 1) await flow.captured();
    expect(flow.view.value).toMatchObject({ ending: { status: 'verified' } });
  });

  it('gets a result if, during the document step, the sandbox outcome changes to one that needs no document', async () => {
    let outcome = 'verified_after_id';
    const { flow } = await open({ skipIntro: true, chosenOutcome: () => outcome });
    await flow.load();
    await flow.captured();
    outcome = 'verified';
    for (let picture = 0; picture < 3; picture += 1) await flow.captured();
    expect(flow.view.value).toMatchObject({ ending: { status: 'verified' } });
  });

  it('gets the preset outcome even if another one is selected', async () => {
    const { flow } = await open({
      skipIntro: true,
      create: { externalUserId: 'ofage_test:failed_document_rejected:anna' },
      chosenOutcome: () => 'verified',
    });
    await flow.load();
    for (let picture = 0; picture < 3; picture += 1) await flow.captured();
    expect(flow.session.value?.reason).toBe('document_rejected');
  });

  it('keeps waiting with the outcome "never"', async () => {
    const { flow, left } = await open({ skipIntro: true, chosenOutcome: () => 'never' });
    await flow.load();
    await flow.captured();
    expect(flow.view.value.name).toBe('processing');
    expect(left).toEqual([]);
  });

  it('sees the result when the session ends while a picture is being checked', async () => {
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

  it('can click the cancel button twice, and the shop is notified once', async () => {
    const { flow, left } = await open();
    await flow.load();
    await Promise.all([flow.cancel(), flow.cancel(), flow.refresh()]);
    expect(left).toHaveLength(1);
  });

  it('sees the expiry notice after ten minutes', async () => {
    const { flow, left } = await open();
    await flow.load();
    await service.clock.advance(600_000);
    await flow.refresh();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'expired' });
    expect(left).toEqual([]);
  });

  it('sees the result when a picture is sent after the session was settled elsewhere', async () => {
    const { flow, left, sessionId } = await open({ skipIntro: true });
    await flow.load();
    await service.control.settle(sessionId, 'failed_age_not_met');
    await flow.captured();
    expect(left).toMatchObject([{ status: 'failed' }]);
  });

  it('has cancelled 5 s after the page unloads, unless a page of the session makes a request before then', async () => {
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

  it('causes no leave request after the end of the check', async () => {
    const { flow, network } = await open();
    await flow.load();
    await flow.cancel();
    const calls = network.mock.calls.length;
    flow.leave();
    expect(network.mock.calls.length).toBe(calls);
  });

  it('can retry when the service does not respond', async () => {
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

  it('is online again when the service responds that the session does not exist', async () => {
    const { flow, network } = await open();
    await flow.load();
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await flow.refresh();
    expect(flow.isOffline.value).toBe(true);
    await service.control.reset();
    await flow.refresh();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'invalid' });
    expect(flow.isOffline.value).toBe(false);
  });
});

describe('a picture that is not usable', () => {
  it('is retaken in the same session, and the verification continues', async () => {
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

  it.each<[action: string, act: (flow: Flow) => unknown, view: object]>([
    ['asks for the QR code', (flow) => flow.handOff(), { name: 'handoff' }],
    ['cancels', (flow) => flow.cancel(), { name: 'result', ending: { status: 'cancelled' } }],
  ])('does not come back if the shopper %s before its retake is answered', async (_, act, view) => {
    const { flow, network } = await open({ skipIntro: true, takeBlur: () => true });
    await flow.load();
    await flow.captured();
    let answer = (): void => {};
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    network.mockImplementationOnce(async (url, init) => {
      const response = await service.fetch(new Request(url, init));
      await isAnswered;
      return response;
    });
    const retaken = flow.retake();
    await act(flow);
    answer();
    await retaken;
    expect(flow.view.value).toMatchObject(view);
  });

  it.each([
    { by: 'chooser', ports: { chosenOutcome: () => 'failed_image_quality' } },
    { by: 'preset', ports: { create: { externalUserId: 'ofage_test:failed_image_quality' } } },
  ])('fails the verification when no retry is left (outcome from the $by)', async ({ ports }) => {
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

  it('must still be retaken after a reload', async () => {
    const { flow, reload } = await open({ skipIntro: true, takeBlur: () => true });
    await flow.load();
    await flow.captured();
    const again = reload();
    await again.load();
    expect(again.view.value).toMatchObject({ name: 'retake', step: 'face' });
  });
});
