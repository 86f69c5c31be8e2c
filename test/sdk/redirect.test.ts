import { beforeEach, describe, expect, it, vi } from 'vitest';
import { countAttempt } from '../../src/rate-limit.ts';
import {
  begin,
  link,
  newOfAge,
  SESSION_ID,
  START_MS,
  useWorld,
  VERIFY_URL,
  watch,
  world,
} from './world.ts';

useWorld();

const redirect = (options = {}) => newOfAge({ mode: 'redirect', ...options });

/** After this time, the page may still be leaving. 200 ms later, it is shown for too long. */
const ALMOST_60_S = 59_900;

async function expectFailedNow(seen: ReturnType<typeof watch>): Promise<void> {
  expect(seen.state).toBe('pending');
  await world.elapse(200);
  expect(seen.error.code).toBe('navigation_failed');
}

it('verify() navigates to the hosted page with assign() and stays pending', async () => {
  const seen = watch(redirect({ mode: undefined, language: 'de' }).verify()); // it is the default mode
  await world.elapse(100);
  expect(world.assign.mock.calls).toEqual([[`${VERIFY_URL}&lang=de`]]);
  expect(world.popups).toEqual([]);
  world.emit('pagehide', { persisted: false });
  await world.elapse(600_000);
  expect(seen.state).toBe('pending');
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
  const onComplete = vi.fn();
  const ofAge = redirect({ onCancel, onComplete, cancelUrl: 'https://merchant.example/cancel' });
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
  expect(onComplete).not.toHaveBeenCalled();
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

it('verify() rejects with navigation_failed if the page is still shown after 60 s (204, a download)', async () => {
  const onError = vi.fn();
  const seen = watch(redirect({ onError }).verify());
  await world.elapse(ALMOST_60_S);
  expect(seen.state).toBe('pending');
  await world.elapse(200);
  const message = `Cannot open the hosted page${link('navigation_failed')}`;
  expect(seen.error).toMatchObject({ code: 'navigation_failed', message, sessionId: SESSION_ID });
  expect(onError).toHaveBeenCalledOnce();
});

it.each(['before', 'while'])(
  'verify() waits 60 s from when the page is shown again, if it was hidden %s it was left',
  async (when) => {
    const show = (isShown: boolean): void => {
      world.hide(!isShown);
      world.emit('visibilitychange');
    };
    if (when === 'before') show(false);
    const seen = watch(redirect().verify());
    await world.elapse(0);
    if (when === 'while') show(false);
    await world.elapse(400_000);
    expect(seen.state).toBe('pending');
    show(true);
    await world.elapse(ALMOST_60_S);
    await expectFailedNow(seen);
  },
);

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

describe('in a browser with the Navigation API', () => {
  let navigation: EventTarget;
  beforeEach(() => {
    navigation = new EventTarget();
    vi.stubGlobal('navigation', navigation);
  });
  const emit = (...types: string[]): void =>
    types.forEach((type) => void navigation.dispatchEvent(new Event(type)));

  it('verify() rejects with navigation_failed at once after the Stop button', async () => {
    const seen = watch(redirect().verify());
    await world.elapse(500);
    emit('navigateerror');
    await world.elapse(1);
    expect(seen.error.code).toBe('navigation_failed');
  });

  it('verify() stays pending when the page calls history.replaceState() while the browser leaves it', async () => {
    const seen = watch(redirect().verify());
    await world.elapse(500);
    emit('navigateerror', 'navigate'); // as in Chromium, where the browser leaves nevertheless
    await world.elapse(ALMOST_60_S);
    await expectFailedNow(seen);
  });

  it('verify() stays pending when its own second navigation aborts the first', async () => {
    const ofAge = redirect();
    const seen = watch(ofAge.verify());
    await world.elapse(500);
    world.assign.mockImplementation(() => emit('navigateerror', 'navigate'));
    void ofAge.verify();
    await world.elapse(ALMOST_60_S);
    expect(seen.state).toBe('pending');
  });

  it('verify() ignores a navigateerror event when another navigation leaves the page', async () => {
    const seen = watch(redirect().verify());
    await world.elapse(500);
    emit('navigateerror', 'navigate');
    world.emit('pagehide', { persisted: false });
    await world.elapse(600_000);
    expect(seen.state).toBe('pending');
  });

  it('verify() ignores the navigateerror event when location.assign() aborts a navigation in progress', async () => {
    world.assign.mockImplementation(() => emit('navigateerror', 'navigate'));
    const seen = watch(redirect().verify());
    await world.elapse(ALMOST_60_S);
    expect(seen.state).toBe('pending');
  });

  it('verify() still applies the time limit of the create call when the page navigates meanwhile', async () => {
    world.hang();
    const seen = watch(redirect().verify());
    emit('navigateerror', 'navigate');
    await world.elapse(15_100);
    expect(seen.error.code).toBe('request_timeout');
  });
});

describe('a click while the browser leaves the page', () => {
  it.each([3000, 7000, 50_000])(
    'after %i ms navigates to the same session again, and the promise is the same',
    async (delayMs) => {
      const onError = vi.fn();
      const ofAge = redirect({ onError });
      const first = ofAge.verify({ externalUserId: 'a' });
      await world.elapse(delayMs);
      expect(ofAge.verify({ externalUserId: 'a' })).toBe(first);
      await world.elapse(0);
      expect(world.assign.mock.calls).toEqual([[VERIFY_URL], [VERIFY_URL]]);
      expect(world.fetch).toHaveBeenCalledOnce();
      expect(onError).not.toHaveBeenCalled();
    },
  );

  it('uses the language of the second click', async () => {
    const ofAge = redirect();
    void ofAge.verify({ language: 'de' });
    await world.elapse(3000);
    void ofAge.verify({ language: 'fr' });
    expect(world.assign.mock.lastCall).toEqual([`${VERIFY_URL}&lang=fr`]);
    expect(world.fetch).toHaveBeenCalledOnce();
  });

  it('restarts the wait of 60 s', async () => {
    const ofAge = redirect();
    const seen = watch(ofAge.verify());
    await world.elapse(50_000);
    void ofAge.verify();
    await world.elapse(ALMOST_60_S);
    await expectFailedNow(seen);
  });

  it('supersedes the attempt if it is for another user', async () => {
    const onError = vi.fn();
    const ofAge = redirect({ onError });
    const first = watch(ofAge.verify({ externalUserId: 'a' }));
    await world.elapse(3000);
    const second = watch(ofAge.verify({ externalUserId: 'b' }));
    await world.elapse(0);
    expect(first.error).toMatchObject({ code: 'superseded', sessionId: SESSION_ID });
    expect(second.state).toBe('pending');
    expect(world.fetch).toHaveBeenCalledTimes(2);
    expect(world.assign).toHaveBeenCalledTimes(2);
    expect(onError).not.toHaveBeenCalled();
  });

  it('supersedes the attempt once the session has expired', async () => {
    const ofAge = redirect();
    const first = watch(ofAge.verify());
    await world.elapse(0);
    world.hide(true);
    world.emit('visibilitychange');
    await world.elapse(599_000);
    void ofAge.verify();
    expect(world.fetch).toHaveBeenCalledOnce();
    await world.elapse(1001);
    void ofAge.verify();
    await world.elapse(0);
    expect(first.error.code).toBe('superseded');
    expect(world.fetch).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['set forward by a day', 86_400_000, 599_000, 1],
    ['set back by a day', -86_400_000, 601_000, 2],
  ])(
    'counts the ten minutes of the session although the clock is %s',
    async (_, changeMs, afterMs, sessions) => {
      const ofAge = redirect({ onError() {} });
      void ofAge.verify();
      await world.elapse(0);
      world.hide(true);
      world.emit('visibilitychange');
      vi.setSystemTime(START_MS + changeMs);
      await world.elapse(afterMs);
      void ofAge.verify();
      await world.elapse(0);
      expect(world.fetch).toHaveBeenCalledTimes(sessions);
    },
  );

  it('rejects with verification_in_progress for another user while the session is being created', async () => {
    world.hang();
    const ofAge = redirect({ onError() {} });
    void ofAge.verify({ externalUserId: 'a' });
    await expect(ofAge.verify({ externalUserId: 'b' })).rejects.toMatchObject({
      code: 'verification_in_progress',
    });
  });
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

describe('on a page that the browser is prerendering', () => {
  let isPrerendering = true;
  beforeEach(() => {
    isPrerendering = true;
    Object.defineProperty(document, 'prerendering', {
      get: () => isPrerendering,
      configurable: true,
    });
    return () => Reflect.deleteProperty(document, 'prerendering');
  });
  const show = async (): Promise<void> => {
    isPrerendering = false;
    world.emit('prerenderingchange');
    await world.elapse(0);
  };

  it('verify() creates no session and counts no attempt until the shopper opens the page', async () => {
    const seen = await begin({ mode: 'redirect' });
    await world.elapse(3_600_000);
    expect(world.fetch).not.toHaveBeenCalled();
    expect(localStorage).toHaveLength(0);
    await show();
    expect(world.fetch).toHaveBeenCalledOnce();
    expect(world.assign).toHaveBeenCalledExactlyOnceWith(VERIFY_URL);
    expect(seen.state).toBe('pending');
  });

  it('verify() creates no session for a page that is never shown, or after destroy()', async () => {
    const ofAge = redirect();
    const seen = watch(ofAge.verify());
    ofAge.destroy();
    await show();
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'destroyed' });
    expect(world.fetch).not.toHaveBeenCalled();
    expect(world.listeners).toEqual([]);
  });

  it('verify() returns the same promise to a second call, and creates one session', async () => {
    const ofAge = redirect();
    expect(ofAge.verify()).toBe(ofAge.verify());
    await show();
    expect(world.fetch).toHaveBeenCalledOnce();
  });

  it('verify() rejects with rate_limited only when the page is shown', async () => {
    for (let n = 0; n < 5; n += 1) countAttempt(JSON.stringify(['pk_test_123', undefined]));
    const seen = await begin({ mode: 'redirect' });
    expect(seen.state).toBe('pending');
    await show();
    expect(seen.error).toMatchObject({ code: 'rate_limited' });
  });

  it('verify() in new-tab mode rejects, and creates no session', async () => {
    world.openWith(() => null);
    vi.stubGlobal('navigator', { userAgent: '', userActivation: { isActive: false } });
    const seen = await begin({ mode: 'new-tab' });
    expect(seen.error).toMatchObject({
      code: 'popup_blocked',
      retryable: true,
      details: { reason: 'no_user_gesture' },
    });
    await show();
    expect(world.fetch).not.toHaveBeenCalled();
    expect(localStorage).toHaveLength(0);
  });
});

it('verify() does not wait on a hidden page, which is not prerendering', async () => {
  world.hide(true);
  await begin({ mode: 'redirect' });
  expect(world.fetch).toHaveBeenCalledOnce();
});
