import { describe, expect, it, vi } from 'vitest';
import { begin, FakeChannel, link, newOfAge, SESSION_ID, useWorld, watch, world } from './world.ts';

useWorld();

it('verify() returns the same promise on a double click, sends one request and focuses the open window', async () => {
  const ofAge = newOfAge();
  const first = ofAge.verify({ externalUserId: 'a', skipIntro: true });
  const second = ofAge.verify({ skipIntro: true, externalUserId: 'a' });
  expect(second).toBe(first);
  await world.elapse(0);
  expect(ofAge.verify({ externalUserId: 'a', skipIntro: true, language: 'xx' })).toBe(first);
  expect(world.popups).toHaveLength(1);
  expect(world.fetch).toHaveBeenCalledOnce();
  expect(world.popup().focused).toBe(2);
});

it('verify() rejects a call with other options as verification_in_progress, and the first call continues', async () => {
  const onError = vi.fn();
  const ofAge = newOfAge({ onError });
  const first = watch(ofAge.verify({ externalUserId: 'a' }));
  const second = watch(ofAge.verify({ externalUserId: 'b' }));
  await world.elapse(0);
  const message = `verify() is running with other options${link('verification_in_progress')}`;
  expect(second.error).toMatchObject({ code: 'verification_in_progress', message });
  expect(onError).toHaveBeenCalledExactlyOnceWith(second.error);
  world.message({ status: 'verified' });
  await world.elapse(0);
  expect(first.state).toBe('resolved');
});

it.each([
  ['another language', { language: 'de' }, { language: 'fr' }],
  ['the default language', { language: 'de' }, {}],
  ['skipIntro', {}, { skipIntro: true }],
  ['autoReturn', {}, { autoReturn: true }],
])('verify() rejects a second call with %s', async (_, one, other) => {
  const ofAge = newOfAge({ onError() {} });
  const first = ofAge.verify(one);
  expect(ofAge.verify(one)).toBe(first);
  await expect(ofAge.verify(other)).rejects.toMatchObject({ code: 'verification_in_progress' });
});

it.each([
  ['in redirect mode', { mode: 'redirect' } as const, {}],
  [
    'whose options are the defaults',
    {},
    { skipIntro: false, autoReturn: false, externalUserId: '' },
  ],
])('verify() returns the same promise for a second call %s', (_, options, call) => {
  const ofAge = newOfAge(options);
  expect(ofAge.verify()).toBe(ofAge.verify(call));
});

it('a new call replaces an attempt whose window is unreachable', async () => {
  const onError = vi.fn();
  const ofAge = newOfAge({ onError });
  const first = watch(ofAge.verify());
  await world.elapse(0);
  world.popup().closed = true;
  await world.elapse(10_000);
  const second = watch(ofAge.verify());
  await world.elapse(0);
  expect(first.error).toMatchObject({
    code: 'superseded',
    sessionId: SESSION_ID,
    message: `Replaced by a later verify()${link('superseded')}`,
  });
  // The shopper only clicked again, so there is no error to show.
  expect(onError).not.toHaveBeenCalled();
  expect(world.popups).toHaveLength(2);
  world.message({ status: 'verified' });
  await world.elapse(0);
  expect(second.value).toMatchObject({ status: 'verified' });
});

describe('a shopper who finishes in the window of a superseded attempt', () => {
  const OTHER_ID = 'second-session';
  const body = (sessionId: string): object => ({
    sessionId,
    verifyUrl: `https://verify.example.test/v/${sessionId}`,
  });
  /** Clicks once for each user. The window of each earlier click is unreachable. */
  async function click(externalUserIds: string[], options = {}) {
    world.answer(...[SESSION_ID, OTHER_ID, 'third-session'].map((id) => ({ body: body(id) })));
    const ofAge = newOfAge(options);
    const seen = [];
    for (const externalUserId of externalUserIds) {
      if (world.popups.length > 0) world.popup().cutOff();
      seen.push(watch(ofAge.verify({ externalUserId })));
      await world.elapse(3000);
    }
    return seen;
  }

  it.each(['verified', 'failed'])(
    'ends the later call with the earlier session: %s',
    async (status) => {
      const onComplete = vi.fn();
      const onError = vi.fn();
      const [first, second] = await click(['a', 'a'], { onComplete, onError });
      expect(first!.error).toMatchObject({ code: 'superseded', sessionId: SESSION_ID });
      world.relay({ status, timestamp: 1760000000000 });
      await world.elapse(0);
      const result = {
        status,
        sessionId: SESSION_ID,
        timestamp: 1760000000000,
        externalUserId: 'a',
      };
      expect(second!.value).toStrictEqual(result); // a completed result has no reason
      expect(onComplete).toHaveBeenCalledExactlyOnceWith(result);
      expect(onError).not.toHaveBeenCalled();
      expect(world.popup().closed).toBe(true);
      expect(FakeChannel.open.size).toBe(0);
    },
  );

  it('ends the later call while its own session is being created', async () => {
    const ofAge = newOfAge();
    void watch(ofAge.verify());
    await world.elapse(0);
    world.popup().cutOff();
    world.hang();
    const second = watch(ofAge.verify());
    world.relay({ status: 'verified' });
    await world.elapse(0);
    expect(second.value).toMatchObject({ status: 'verified', sessionId: SESSION_ID });
    expect(world.popup().closed).toBe(true);
  });

  it('ends the third call with the first session', async () => {
    const seen = await click(['a', 'a', 'a']);
    world.relay({ status: 'verified' });
    await world.elapse(0);
    expect(seen[2]!.value).toMatchObject({ status: 'verified', sessionId: SESSION_ID });
  });

  it('has no effect if the session of the later call ends first', async () => {
    const [first, second, third] = await click(['a', 'a', 'a']);
    expect([first!.error.code, second!.error.code]).toEqual(['superseded', 'superseded']);
    world.message({ status: 'failed', sessionId: 'third-session' });
    world.relay({ status: 'verified' });
    await world.elapse(0);
    expect(third!.value).toMatchObject({ status: 'failed', sessionId: 'third-session' });
    expect(FakeChannel.open.size).toBe(0);
  });

  it('does not end the later call by cancelling', async () => {
    const [, second] = await click(['a', 'a']);
    world.relay({ status: 'cancelled' });
    await world.elapse(0);
    expect(second!.state).toBe('pending');
  });

  it('does not end the call of another user', async () => {
    const [, second] = await click(['a', 'b']);
    world.relay({ status: 'verified' });
    await world.elapse(0);
    expect(second!.state).toBe('pending');
  });
});

it.each([
  ['opens no window', 'popup_blocked'],
  ['exceeds the rate limit', 'rate_limited'],
])('an attempt whose window is unreachable continues when the new call %s', async (_, code) => {
  const onError = vi.fn();
  const ofAge = newOfAge({ onError });
  if (code === 'rate_limited') {
    for (let n = 0; n < 4; n += 1) {
      void ofAge.verify();
      ofAge.destroy();
    }
  }
  const first = watch(ofAge.verify());
  await world.elapse(0);
  world.popup().closed = true;
  await world.elapse(10_000);
  if (code === 'popup_blocked') world.openWith(() => null);
  const second = watch(ofAge.verify());
  await world.elapse(0);
  expect(second.error.code).toBe(code);
  expect(onError).toHaveBeenCalledOnce();
  world.relay({ status: 'verified' });
  await world.elapse(0);
  expect(first.value).toMatchObject({ status: 'verified' });
});

it('a callback may call verify() again immediately', async () => {
  const ofAge = newOfAge({ onComplete: () => void ofAge.verify({ externalUserId: 'second' }) });
  void ofAge.verify();
  await world.elapse(0);
  world.message({ status: 'failed' });
  await world.elapse(0);
  expect(world.popups).toHaveLength(2);
  expect(world.popup().closed).toBe(false);
});

it('two OfAge objects verify independently', async () => {
  const one = watch(newOfAge().verify({ externalUserId: 'a' }));
  const firstPopup = world.popup();
  const two = await begin({}, { externalUserId: 'b' });
  world.message({ status: 'failed' }, { source: firstPopup });
  await world.elapse(0);
  expect([one.state, two.state]).toEqual(['resolved', 'pending']);
});

it('destroy() cancels the attempt without callbacks, and verify() works afterwards', async () => {
  const callbacks = { onComplete: vi.fn(), onCancel: vi.fn(), onError: vi.fn() };
  const ofAge = newOfAge({ ...callbacks, cancelUrl: 'https://merchant.example/cancel' });
  const seen = watch(ofAge.verify());
  await world.elapse(0);
  ofAge.destroy();
  ofAge.destroy();
  await world.elapse(0);
  expect(seen.value).toEqual({ status: 'cancelled', reason: 'destroyed', sessionId: SESSION_ID });
  expect(world.popup().closed).toBe(true);
  for (const callback of Object.values(callbacks)) expect(callback).not.toHaveBeenCalled();
  expect(world.assign).not.toHaveBeenCalled();
  void ofAge.verify();
  expect(world.popups).toHaveLength(2);
});

it.each(['new-tab', 'redirect'] as const)(
  'verify() in %s mode does not open the hosted page if destroy() is called during session creation',
  async (mode) => {
    const ofAge = newOfAge({ mode });
    void ofAge.verify();
    ofAge.destroy();
    await world.elapse(0);
    expect(world.popups.flatMap(({ replaced }) => replaced)).toEqual([]);
    expect(world.assign).not.toHaveBeenCalled();
  },
);

it('mounting twice, as React’s StrictMode does, leaves no listener, timer or element', async () => {
  const before = document.head.childElementCount;
  newOfAge().destroy();
  newOfAge();
  expect(world.listeners).toEqual([]);
  expect(world.fetch).not.toHaveBeenCalled();
  await world.elapse(10_000);
  expect(document.head.childElementCount).toBe(before);
  expect(vi.getTimerCount()).toBe(0);
});
