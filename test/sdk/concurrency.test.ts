import { beforeEach, expect, it, vi } from 'vitest';
import { newOfAge, SESSION_ID, useWorld, watch, world } from './world.ts';

useWorld();
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

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
  expect(second.error).toMatchObject({ code: 'verification_in_progress', retryable: true });
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

it('verify() returns the same promise for a second call in redirect mode too', () => {
  const ofAge = newOfAge({ mode: 'redirect' });
  expect(ofAge.verify()).toBe(ofAge.verify());
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
    retryable: false,
  });
  // The shopper only clicked again, so there is no error to show.
  expect(onError).not.toHaveBeenCalled();
  expect(world.popups).toHaveLength(2);
  world.message({ status: 'verified' });
  await world.elapse(0);
  expect(second.value).toMatchObject({ status: 'verified' });
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

it('verify() treats an omitted option as equal to its default', () => {
  const ofAge = newOfAge();
  const first = ofAge.verify({ skipIntro: false, autoReturn: false, externalUserId: '' });
  expect(ofAge.verify()).toBe(first);
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
  const two = watch(newOfAge().verify({ externalUserId: 'b' }));
  await world.elapse(0);
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

it('verify() does not open the hosted page if destroy() is called during session creation', async () => {
  const ofAge = newOfAge();
  void ofAge.verify();
  ofAge.destroy();
  await world.elapse(0);
  expect(world.popup().replaced).toEqual([]);
});

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

it('if onError is set, the browser reports no unhandled rejection, and awaiting still rejects', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  world.openWith(() => null);
  const onError = vi.fn();
  void newOfAge({ onError }).verify();
  const awaited = await newOfAge({ onError })
    .verify()
    .catch((error: unknown) => error);
  vi.useRealTimers();
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', unhandled);
  expect(onError).toHaveBeenCalledTimes(2);
  expect(awaited).toMatchObject({ code: 'popup_blocked' });
  expect(unhandled).not.toHaveBeenCalled();
});
