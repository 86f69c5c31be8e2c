import { expect, it, vi } from 'vitest';
import { newOfAge, SESSION_ID, useWorld, VERIFY_URL, watch, world } from './world.ts';

useWorld();

const redirect = (options = {}) => newOfAge({ mode: 'redirect', ...options });

it('leaves for the verification page with assign(), and stays pending', async () => {
  const seen = watch(redirect({ language: 'de' }).verify());
  await world.elapse(100);
  expect(world.assign.mock.calls).toEqual([[`${VERIFY_URL}&lang=de`]]);
  expect(world.popups).toEqual([]);
  world.emit('pagehide', { persisted: false });
  await world.elapse(600_000);
  expect(seen.state).toBe('pending');
});

it('is the default mode', async () => {
  void newOfAge({ mode: undefined }).verify();
  await world.elapse(0);
  expect(world.assign).toHaveBeenCalledOnce();
});

it('never registers what keeps a page out of the back/forward cache', async () => {
  void redirect().verify();
  await world.elapse(0);
  expect(world.listeners.map(({ type }) => type).sort()).toEqual([
    'pagehide',
    'pageshow',
    'visibilitychange',
  ]);
});

it('Back: cancelled with reason history_back, without callback or cancelUrl; a new click starts anew', async () => {
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

it('the first pageshow of a page is not a return', async () => {
  const seen = watch(redirect().verify());
  world.emit('pageshow', { persisted: false });
  await world.elapse(0);
  expect(seen.state).toBe('pending');
});

it('a navigation that never happens (204, a download): navigation_failed after 5 s', async () => {
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

it('a hidden page has its five seconds when the shopper can see it', async () => {
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

it('so has a page that is hidden when the session is there', async () => {
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
  'a page with a variable of its own named navigation, %s: leaves and stays pending',
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

it('Stop, where the browser says so: navigation_failed after a second', async () => {
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

it('an aborted navigation that another one replaced does not count', async () => {
  const navigation = new EventTarget();
  vi.stubGlobal('navigation', navigation);
  const seen = watch(redirect().verify());
  await world.elapse(500);
  navigation.dispatchEvent(new Event('navigateerror'));
  world.emit('pagehide', { persisted: false });
  await world.elapse(60_000);
  expect(seen.state).toBe('pending');
});

it('nor does one of the page’s own that ours aborts', async () => {
  const navigation = new EventTarget();
  vi.stubGlobal('navigation', navigation);
  world.assign.mockImplementation(() => navigation.dispatchEvent(new Event('navigateerror')));
  const seen = watch(redirect().verify());
  await world.elapse(4900);
  expect(seen.state).toBe('pending');
});

it('a request that dies because the page is leaving is nobody’s error', async () => {
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

it('location.assign that throws: navigation_failed', async () => {
  world.assign.mockImplementation(() => {
    throw new DOMException('sandboxed', 'SecurityError');
  });
  const seen = watch(redirect().verify());
  await world.elapse(0);
  expect(seen.error).toMatchObject({ code: 'navigation_failed' });
});

it('new-tab callbacks stay silent in redirect mode', async () => {
  const onComplete = vi.fn();
  const onCancel = vi.fn();
  void redirect({ onComplete, onCancel }).verify();
  await world.elapse(0);
  world.emit('pageshow', { persisted: true });
  expect(onComplete).not.toHaveBeenCalled();
  expect(onCancel).not.toHaveBeenCalled();
});
