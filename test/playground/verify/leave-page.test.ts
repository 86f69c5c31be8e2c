import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toEnding } from '../../../playground/verify/ending.ts';
import { aSession } from './a-session.ts';

const ending = toEnding(aSession({ status: 'verified' }), false)!;

/** Creates a window of the hosted page and records the calls on it, in order. */
async function aWindow(opener: { closed: boolean } | null = { closed: false }, visited = 1) {
  const done: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void done.push([name, ...args]);
  const shop = opener && { ...opener, postMessage: note('post') };
  const window = Object.assign(new EventTarget(), { opener: shop, close: note('close') });
  vi.stubGlobal('window', window);
  vi.stubGlobal('location', { replace: note('go') });
  vi.stubGlobal('history', { length: visited });
  // Each page needs a new module instance, because the module has state.
  vi.resetModules();
  const page = await import('../../../playground/verify/leave-page.ts');
  return { done, fire: (event: string) => window.dispatchEvent(new Event(event)), ...page };
}

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const POSTED = ['post', ending.message, 'https://shop.example'];

describe('leaving the hosted page', () => {
  it('notifies the shop before it closes the window', async () => {
    const { leaveNow, done } = await aWindow();
    leaveNow(ending);
    expect(done).toEqual([POSTED, ['close']]);
  });

  it('notifies a shop whose window may have one of two origins', async () => {
    const { leaveNow, done } = await aWindow();
    const messageOrigins = ['https://shop.example', 'http://localhost:3000'];
    leaveNow(toEnding(aSession({ status: 'verified', messageOrigins }), false)!);
    expect(done).toEqual([POSTED, ['post', ending.message, 'http://localhost:3000'], ['close']]);
  });

  it('notifies the shop before it redirects in a window with earlier history', async () => {
    const { leaveNow, done } = await aWindow({ closed: false }, 2);
    leaveNow(ending);
    expect(done).toEqual([POSTED, ['go', ending.redirectUrl]]);
  });

  it('notifies the shop only after the result was shown, because the shop then closes the window', async () => {
    const { leavePage, done } = await aWindow();
    leavePage(ending);
    vi.advanceTimersByTime(ending.shownMs - 1);
    expect(done).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(done).toEqual([POSTED, ['close']]);
  });

  it.each(['beforeunload', 'pagehide'])(
    'notifies the shop once on %s if the shopper closes the window before the result was shown',
    async (event) => {
      const { leavePage, fire, done } = await aWindow();
      leavePage(ending);
      fire(event);
      fire('pagehide');
      expect(done).toEqual([POSTED]);
    },
  );

  it('notifies the shop and redirects at once with auto_return', async () => {
    const { leavePage, done } = await aWindow();
    leavePage(toEnding(aSession({ status: 'verified' }), true)!);
    expect(done).toEqual([POSTED]);
    vi.advanceTimersByTime(0);
    expect(done).toEqual([POSTED, ['go', ending.redirectUrl]]);
  });

  it('waits for the deliveries of the static playground, even with auto_return', async () => {
    const { leavePage, done } = await aWindow();
    leavePage(toEnding(aSession({ status: 'verified' }), true)!, 500);
    vi.advanceTimersByTime(499);
    expect(done).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(done).toHaveLength(2);
  });

  it('notifies the shop once even if the button is pressed several times', async () => {
    const { leavePage, leaveNow, done } = await aWindow();
    leavePage(ending);
    leaveNow(ending);
    leaveNow(ending);
    vi.advanceTimersByTime(ending.shownMs);
    expect(done.filter(([name]) => name === 'post')).toHaveLength(1);
  });

  it.each([
    { opener: null, why: 'no opener' },
    { opener: { closed: true }, why: 'a closed opener' },
  ])('redirects when the window has $why', async ({ opener }) => {
    const { leaveNow, done } = await aWindow(opener);
    leaveNow(ending);
    expect(done).toEqual([['go', ending.redirectUrl]]);
  });

  describe('without a result', () => {
    const expired = aSession({ status: 'expired', cancelUrl: 'https://shop.example/basket' });
    const LEFT = [
      'post',
      { type: 'ofage:verification:presence', sessionId: expired.sessionId, present: false },
      'https://shop.example',
    ];

    it('closes the popup, and redirects to cancelUrl if the browser refuses', async () => {
      const { leaveWithoutResult, done } = await aWindow();
      leaveWithoutResult(expired);
      expect(done).toEqual([['close']]);
      vi.advanceTimersByTime(1_000);
      expect(done).toEqual([['close'], LEFT, ['go', 'https://shop.example/basket']]);
    });

    it('redirects at once in a window with earlier history', async () => {
      const { leaveWithoutResult, done } = await aWindow({ closed: false }, 2);
      leaveWithoutResult(aSession({ status: 'expired' }));
      expect(done).toEqual([LEFT, ['go', 'https://shop.example/return']]);
    });
  });
});
