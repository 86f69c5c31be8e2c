import { expect, it, vi } from 'vitest';
import { createAttempt } from '../../src/attempt.ts';
import {
  begin,
  newOfAge,
  SESSION_ID,
  useWorld,
  watch,
  withPropertyOnAllObjects,
  world,
} from './world.ts';

useWorld();

const SETTINGS = { apiKey: 'pk_1', returnUrl: 'https://m.example/', mode: 'new-tab' } as const;

it('an attempt settles once: only the first outcome reaches the promise, the callbacks and the cleanup', async () => {
  const onComplete = vi.fn();
  const onCancel = vi.fn();
  const undo = vi.fn();
  const attempt = createAttempt({ ...SETTINGS, onComplete, onCancel });
  attempt._defer(undo);
  attempt._finish({ status: 'verified', sessionId: SESSION_ID });
  attempt._finish({ status: 'failed', sessionId: SESSION_ID });
  attempt._cancel('closed');
  attempt._fail('session_expired');
  expect(await attempt._promise).toMatchObject({ status: 'verified' });
  expect(onComplete).toHaveBeenCalledOnce();
  expect(onCancel).not.toHaveBeenCalled();
  expect(undo).toHaveBeenCalledOnce();
});

it('an attempt resolves its result although a script added a code to every object', () =>
  withPropertyOnAllObjects('code', async () => {
    const attempt = createAttempt(SETTINGS);
    attempt._finish({ status: 'verified', sessionId: SESSION_ID });
    expect(await attempt._promise).toMatchObject({ status: 'verified' });
  }));

it('an attempt works with a Promise without catch(), as an old polyfill defines it', async () => {
  const name = 'catch';
  const original = Object.getOwnPropertyDescriptor(Promise.prototype, name)!;
  Reflect.deleteProperty(Promise.prototype, name);
  try {
    const onError = vi.fn();
    world.answer(new TypeError('Failed to fetch'));
    const seen = await begin({ onError });
    expect(seen.error).toMatchObject({ code: 'network_error' });
    expect(onError).toHaveBeenCalledOnce();
  } finally {
    Reflect.defineProperty(Promise.prototype, name, original);
  }
});

it('an attempt runs cleanups in reverse order, so that the watch ends before the window closes', () => {
  const order: string[] = [];
  const attempt = createAttempt(SETTINGS);
  attempt._defer(() => order.push('close'));
  attempt._defer(() => order.push('watch'));
  attempt._cancel('closed');
  expect(order).toEqual(['watch', 'close']);
});

it('an attempt replaces the current deadline when a later one is set', async () => {
  const attempt = createAttempt(SETTINGS);
  attempt._expect(1000, 'request_timeout');
  attempt._expect(5000, 'session_expired');
  const seen = watch(attempt._promise);
  await world.elapse(1000);
  expect(seen.state).toBe('pending');
  await world.elapse(4000);
  expect(seen.error).toMatchObject({ code: 'session_expired' });
});

it.each([
  ['forward by an hour', 3_600_000],
  ['back by a day', -86_400_000],
])('an attempt keeps its deadline when the computer’s clock is set %s', async (_, stepMs) => {
  const attempt = createAttempt(SETTINGS);
  attempt._expect(5000, 'session_expired');
  const seen = watch(attempt._promise);
  await world.elapse(1000);
  vi.setSystemTime(Date.now() + stepMs);
  await world.elapse(3900);
  expect(seen.state).toBe('pending');
  await world.elapse(100);
  expect(seen.error).toMatchObject({ code: 'session_expired' });
});

it('an attempt does not call onError for superseded, because the later call reports its own result', async () => {
  const onError = vi.fn();
  const attempt = createAttempt({ ...SETTINGS, onError });
  attempt._fail('superseded');
  await expect(attempt._promise).rejects.toMatchObject({ code: 'superseded' });
  expect(onError).not.toHaveBeenCalled();
});

it('an attempt does not navigate in redirect mode when destroyed during session creation', async () => {
  const ofAge = newOfAge({ mode: 'redirect' });
  void ofAge.verify();
  ofAge.destroy();
  await world.elapse(0);
  expect(world.assign).not.toHaveBeenCalled();
});

it('an attempt treats an empty externalUserId as absent', async () => {
  const promise = newOfAge().verify({ externalUserId: '' });
  await world.elapse(0);
  const [, init] = world.fetch.mock.calls[0] as [string, RequestInit];
  expect(JSON.parse(String(init.body))).toEqual({ returnUrl: 'https://merchant.example/return' });
  world.message({ status: 'verified' });
  expect((await promise).externalUserId).toBeUndefined();
});

it('an attempt reports an exception from onError as unhandled and still rejects with the original error', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  world.openWith(() => null);
  const mistake = new Error('merchant bug');
  const promise = newOfAge({
    onError() {
      throw mistake;
    },
  }).verify();
  await expect(promise).rejects.toMatchObject({ code: 'popup_blocked' });
  vi.useRealTimers();
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).toHaveBeenCalledExactlyOnceWith(mistake, expect.anything());
});
