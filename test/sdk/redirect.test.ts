import { expect, it, vi } from 'vitest';
import { newOfAge, SESSION_ID, useWorld, VERIFY_URL, watch, world } from './world.ts';

useWorld();

const redirect = (options = {}) => newOfAge({ mode: 'redirect', ...options });

it('verify() navigates to the hosted page with assign() and stays pending', async () => {
  const seen = watch(redirect({ language: 'de' }).verify());
  await world.elapse(100);
  expect(world.assign.mock.calls).toEqual([[`${VERIFY_URL}&lang=de`]]);
  expect(world.popups).toEqual([]);
  world.emit('pagehide', { persisted: false });
  await world.elapse(600_000);
  expect(seen.state).toBe('pending');
});

it('redirect is the default mode', async () => {
  void newOfAge({ mode: undefined }).verify();
  await world.elapse(0);
  expect(world.assign).toHaveBeenCalledOnce();
});

it('verify() registers no listener that keeps a page out of the back/forward cache', async () => {
  void redirect().verify();
  await world.elapse(0);
  expect(world.listeners.map(({ type }) => type).sort()).toEqual([
    'pagehide',
    'pageshow',
    'visibilitychange',
  ]);
});

it('Back cancels with history_back without calling onCancel or opening cancelUrl, and verify() works again', async () => {
  const onCancel = vi.fn();
  const ofAge = redirect({ onCancel, cancelUrl: 'https://merchant.example/cancel' });
  const seen = watch(ofAge.verify());
  await world.elapse(0);
  world.emit('pagehide', { persisted: true });
  world.emit('pageshow', { persisted: true });
  await world.elapse(0);
  expect(seen.value).toEqual({
    status: 'cancelled',
    reason: 'history_back',
    sessionId: SESSION_ID,
  });
  expect(onCancel).not.toHaveBeenCalled();
  expect(world.assign).toHaveBeenCalledOnce();
  void ofAge.verify();
  await world.elapse(0);
  expect(world.assign).toHaveBeenCalledTimes(2);
});

it('verify() does not mistake the first pageshow event of a page for a return', async () => {
  const seen = watch(redirect().verify());
  world.emit('pageshow', { persisted: false });
  await world.elapse(0);
  expect(seen.state).toBe('pending');
});

it('verify() rejects with navigation_failed after 5 s without navigation (204, a download)', async () => {
  const onError = vi.fn();
  const seen = watch(redirect({ onError }).verify());
  await world.elapse(4900);
  expect(seen.state).toBe('pending');
  await world.elapse(200);
  expect(seen.error).toMatchObject({
    code: 'navigation_failed',
    retryable: true,
    sessionId: SESSION_ID,
  });
  expect(onError).toHaveBeenCalledOnce();
});

it('verify() restarts the wait of five seconds when a hidden page becomes visible', async () => {
  const seen = watch(redirect().verify());
  await world.elapse(0);
  world.hide(true);
  world.emit('visibilitychange');
  await world.elapse(40_000);
  expect(seen.state).toBe('pending');
  world.hide(false);
  world.emit('visibilitychange');
  await world.elapse(4900);
  expect(seen.state).toBe('pending');
  await world.elapse(200);
  expect(seen.error.code).toBe('navigation_failed');
});

it('verify() starts the wait of five seconds only when a page that was hidden from the start becomes visible', async () => {
  world.hide(true);
  const seen = watch(redirect().verify());
  await world.elapse(40_000);
  expect(seen.state).toBe('pending');
  world.hide(false);
  world.emit('visibilitychange');
  await world.elapse(5100);
  expect(seen.error.code).toBe('navigation_failed');
});

it.each([
  ['an array', []],
  ['an object', { menu: true }],
  ['a function', () => {}],
  ['an element', document.createElement('nav')],
  ['null', null],
])(
  'verify() navigates and stays pending when the page declares a variable named navigation: %s',
  async (_, own) => {
    vi.stubGlobal('navigation', own);
    const onError = vi.fn();
    const seen = watch(redirect({ onError }).verify());
    await world.elapse(100);
    expect(world.assign).toHaveBeenCalledOnce();
    world.emit('pagehide', { persisted: false });
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
    expect(onError).not.toHaveBeenCalled();
  },
);

it('verify() rejects with navigation_failed one second after a navigateerror event (the Stop button)', async () => {
  const navigation = new EventTarget();
  vi.stubGlobal('navigation', navigation);
  const seen = watch(redirect().verify());
  await world.elapse(500);
  navigation.dispatchEvent(new Event('navigateerror'));
  await world.elapse(900);
  expect(seen.state).toBe('pending');
  await world.elapse(200);
  expect(seen.error.code).toBe('navigation_failed');
});

it('verify() ignores a navigateerror event when another navigation leaves the page', async () => {
  const navigation = new EventTarget();
  vi.stubGlobal('navigation', navigation);
  const seen = watch(redirect().verify());
  await world.elapse(500);
  navigation.dispatchEvent(new Event('navigateerror'));
  world.emit('pagehide', { persisted: false });
  await world.elapse(60_000);
  expect(seen.state).toBe('pending');
});

it('verify() ignores the navigateerror event when location.assign() aborts a navigation in progress', async () => {
  const navigation = new EventTarget();
  vi.stubGlobal('navigation', navigation);
  world.assign.mockImplementation(() => navigation.dispatchEvent(new Event('navigateerror')));
  const seen = watch(redirect().verify());
  await world.elapse(4900);
  expect(seen.state).toBe('pending');
});

it('verify() reports no error for a request that fails because the page is unloading', async () => {
  let reject: (error: Error) => void = () => {};
  vi.stubGlobal('fetch', () => new Promise((_, no) => (reject = no)));
  const onError = vi.fn();
  const seen = watch(redirect({ onError }).verify());
  world.emit('pagehide', { persisted: true });
  reject(new TypeError('NetworkError'));
  await world.elapse(60_000);
  expect(seen.state).toBe('pending');
  expect(onError).not.toHaveBeenCalled();
  world.emit('pageshow', { persisted: true });
  await world.elapse(0);
  expect(seen.value).toEqual({ status: 'cancelled', reason: 'history_back' });
});

it('verify() rejects with navigation_failed when location.assign throws', async () => {
  world.assign.mockImplementation(() => {
    throw new DOMException('sandboxed', 'SecurityError');
  });
  const seen = watch(redirect().verify());
  await world.elapse(0);
  expect(seen.error).toMatchObject({ code: 'navigation_failed' });
});

it('verify() does not call onComplete or onCancel in redirect mode', async () => {
  const onComplete = vi.fn();
  const onCancel = vi.fn();
  void redirect({ onComplete, onCancel }).verify();
  await world.elapse(0);
  world.emit('pageshow', { persisted: true });
  expect(onComplete).not.toHaveBeenCalled();
  expect(onCancel).not.toHaveBeenCalled();
});
