import { createMockService } from 'ofage/mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Ending } from '../../../playground/verify/ending.ts';
import { type Flow, type FlowPorts, createFlow } from '../../../playground/verify/flow.ts';
import { createHostedApi } from '../../../playground/verify/hosted-api.ts';
import type { Progress, ProgressStore } from '../../../playground/verify/progress.ts';

type Service = ReturnType<typeof createMockService>;
type TenantOptions = NonNullable<Parameters<typeof createMockService>[0]>['tenant'];

const L2: TenantOptions = { policy: { verificationMode: 'L2' } };
const ORIGIN = 'https://api.ofage.example';
let service: Service;

afterEach(async () => {
  vi.unstubAllGlobals();
  await service.close();
});

/** What a tab keeps, for one session. */
function aProgressStore(): ProgressStore {
  let kept: Progress | null = null;
  return { load: () => kept, save: (progress) => void (kept = progress) };
}

/** A shopper who has opened the hosted page of a new session, with the real service behind it. */
async function open(
  options: { tenant?: TenantOptions; create?: object } & Partial<FlowPorts> = {},
) {
  const { tenant = {}, create = {}, ...ports } = options;
  service = createMockService({ tenant, clock: { frozen: true } });
  const network = vi.fn((url: string, init: RequestInit) => service.fetch(new Request(url, init)));
  vi.stubGlobal('fetch', network);
  const { secretKey } = await service.ready;
  const created = await service.fetch(
    new Request(`${ORIGIN}/api/v1/sessions/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ returnUrl: 'http://localhost/return', ...create }),
    }),
  );
  const { sessionId, sessionToken, handoffToken } = (await created.json()) as Record<
    string,
    string
  >;
  const left: Ending[] = [];
  const tab = aProgressStore();
  /** A page of the session. */
  const visit = (token: string, more: Partial<FlowPorts> = {}): Flow =>
    createFlow({
      api: createHostedApi(ORIGIN, token),
      skipIntro: false,
      autoReturn: false,
      chosenOutcome: () => null,
      chooseOutcome: () => {},
      isHidden: () => false,
      takeBlur: () => false,
      progress: tab,
      leavePage: (ending) => left.push(ending),
      wait: async () => {},
      ...ports,
      ...more,
    });
  const flow = visit(sessionToken!);
  const reload = () => visit(sessionToken!);
  const onSecond = () =>
    visit(handoffToken!, { progress: aProgressStore(), leavePage: () => expect.unreachable() });
  const statusOf = async () => (await service.control.session(sessionId!)).status;
  return { flow, reload, onSecond, left, network, sessionId: sessionId!, statusOf };
}

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

describe('a shopper who was away', () => {
  it('goes on where they were, after a reload', async () => {
    const { flow, reload } = await open({ tenant: L2 });
    await flow.load();
    flow.begin();
    await flow.captured();
    const again = reload();
    await again.load();
    expect(again.view.value).toMatchObject({ name: 'resume', step: 'back', index: 1, total: 3 });
    again.resume();
    expect(again.view.value).toMatchObject({ name: 'capture', step: 'back' });
  });

  it('goes on behind the estimate that was below the threshold', async () => {
    const { flow, reload } = await open({ chosenOutcome: () => 'verified_after_id' });
    await flow.load();
    flow.begin();
    await flow.captured();
    const again = reload();
    await again.load();
    expect(again.view.value).toMatchObject({ name: 'resume', step: 'front', total: 4 });
  });

  it('finds the outcome that the sandbox was set to, after a reload', async () => {
    let chosen = 'verified_after_id';
    const chooser = {
      chosenOutcome: () => chosen,
      chooseOutcome: (outcome: string) => void (chosen = outcome),
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

  it('finds no camera running, and the intro as it was', async () => {
    const { flow } = await open();
    await flow.load();
    flow.pause();
    expect(flow.view.value.name).toBe('intro');
    flow.begin();
    flow.pause();
    expect(flow.view.value).toMatchObject({ name: 'resume', step: 'face' });
  });

  it('finds no camera running after a look at a picture that ended out of sight', async () => {
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

  it('finds no camera running when the answer to a retake came out of sight', async () => {
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

  it('finds no camera running in a tab that was opened in the background', async () => {
    const { flow } = await open({ skipIntro: true, isHidden: () => true });
    await flow.load();
    expect(flow.view.value).toMatchObject({ name: 'resume', step: 'face' });
  });

  it('keeps the session by coming back within the ten minutes, and no longer', async () => {
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

describe('two devices', () => {
  it('go on with the second, and the first follows to the end and tells the shop', async () => {
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

  it('go on with the first again when the shopper says so', async () => {
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

  it('go on with the first again when the second is closed', async () => {
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

  it('never take a picture at the same time', async () => {
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

  it('stay with the first where the code was only shown', async () => {
    const { flow } = await open({ tenant: L2 });
    await flow.load();
    flow.begin();
    flow.handOff();
    await flow.refresh();
    expect(flow.view.value.name).toBe('handoff');
    await flow.continueHere();
    expect(flow.view.value).toMatchObject({ name: 'capture', step: 'front' });
  });

  it('have a page for a code whose check is over', async () => {
    const { onSecond, sessionId } = await open();
    await service.control.settle(sessionId, 'verified');
    const second = onSecond();
    await second.load();
    expect(second.view.value).toEqual({ name: 'notice', kind: 'used' });
  });
});

describe('a link that begins nothing', () => {
  beforeEach(() => vi.unstubAllGlobals());

  it('carries no session', async () => {
    const { flow } = await open({ api: null });
    await flow.load();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'invalid' });
  });

  it('carries a token that was changed', async () => {
    const { flow } = await open({ api: createHostedApi(ORIGIN, 'v1.x.y') });
    await flow.load();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'invalid' });
  });

  it('was used', async () => {
    const { flow, left, sessionId } = await open();
    await service.control.settle(sessionId, 'verified');
    await flow.load();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'used' });
    expect(left).toEqual([]);
  });

  it('is blocked by billing', async () => {
    const billingBlock = { code: 'PLAN_LIMIT_REACHED', message: 'The plan is used up' } as const;
    const { flow } = await open({ tenant: { billingBlock } });
    await flow.load();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'billing' });
    expect(flow.session.value?.billingBlock?.message).toBe('The plan is used up');
  });

  it('leads nowhere while the service is away, and works when it is back', async () => {
    const { flow, network } = await open();
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await flow.load();
    expect(flow.view.value).toEqual({ name: 'notice', kind: 'unavailable' });
    await flow.load();
    expect(flow.view.value.name).toBe('intro');
  });
});
