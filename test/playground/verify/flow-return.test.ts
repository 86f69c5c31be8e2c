import { describe, expect, it } from 'vitest';
import { L2, open, service, useChecks } from './a-check.ts';

useChecks();

describe('a shopper who returns', () => {
  it('continues at the same step after a reload', async () => {
    const { flow, reload } = await open({ tenant: L2 });
    await flow.load();
    flow.begin();
    flow.chooseDocument('driving_licence');
    await flow.captured();
    const again = reload();
    await again.load();
    expect(again.view.value).toMatchObject({ name: 'resume', step: 'back', index: 1, total: 3 });
    again.resume();
    expect(again.view.value).toMatchObject({
      name: 'capture',
      step: 'back',
      document: 'driving_licence',
    });
  });

  it('continues with the document if the estimate before the reload was below the threshold', async () => {
    const { flow, reload } = await open({ chosenOutcome: () => 'verified_after_id' });
    await flow.load();
    flow.begin();
    await flow.captured();
    const again = reload();
    await again.load();
    expect(again.view.value).toMatchObject({ name: 'resume', step: 'front', total: 4 });
  });

  it('keeps the selected sandbox outcome after a reload', async () => {
    let chosen = 'verified_after_id';
    const chooser = {
      chosenOutcome: () => chosen,
      chooseOutcome: (outcome: string) => (chosen = outcome),
    };
    const { flow, reload } = await open(chooser);
    await flow.load();
    flow.begin();
    await flow.captured();
    chosen = 'failed_face_mismatch';
    flow.leave();
    chosen = 'verified';
    const again = reload();
    await again.load();
    expect(chosen).toBe('failed_face_mismatch');
  });

  it('sees the camera switched off, or the intro unchanged if the check had not begun', async () => {
    const { flow } = await open();
    await flow.load();
    flow.pause();
    expect(flow.view.value.name).toBe('intro');
    flow.begin();
    flow.pause();
    expect(flow.view.value).toMatchObject({ name: 'resume', step: 'face' });
  });

  it('sees the camera switched off if the check of a picture ended while the page was hidden', async () => {
    let isHidden = false;
    const { flow } = await open({
      skipIntro: true,
      chosenOutcome: () => 'verified_after_id',
      isHidden: () => isHidden,
      wait: async () => {
        isHidden = true;
        flow.pause();
      },
    });
    await flow.load();
    await flow.captured();
    expect(flow.view.value).toMatchObject({ name: 'resume', step: 'front', index: 1 });
    isHidden = false;
    flow.resume();
    expect(flow.view.value).toMatchObject({ name: 'capture', step: 'front' });
  });

  it('sees the camera switched off if the response to a retake arrived while the page was hidden', async () => {
    let isHidden = false;
    const { flow } = await open({
      skipIntro: true,
      takeBlur: () => true,
      isHidden: () => isHidden,
    });
    await flow.load();
    await flow.captured();
    const answered = flow.retake();
    isHidden = true;
    flow.pause();
    await answered;
    expect(flow.view.value).toMatchObject({ name: 'resume', step: 'face' });
  });

  it('sees the camera switched off in a tab that was opened in the background', async () => {
    const { flow } = await open({ skipIntro: true, isHidden: () => true });
    await flow.load();
    expect(flow.view.value).toMatchObject({ name: 'resume', step: 'face' });
  });

  it('can continue the session until it expires after ten minutes', async () => {
    const { flow, statusOf } = await open({ skipIntro: true });
    await flow.load();
    flow.pause();
    await service.clock.advance(599_000);
    await flow.refresh();
    expect(flow.view.value.name).toBe('resume');
    await service.clock.advance(1_000);
    await flow.refresh();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'expired' });
    expect(await statusOf()).toBe('expired');
  });
});
