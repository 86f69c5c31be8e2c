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
  vi.stubGlobal('window', { opener: shop, close: note('close') });
  vi.stubGlobal('location', { replace: note('go') });
  vi.stubGlobal('history', { length: visited });
  // Each page needs a new module instance, because the module has state.
  vi.resetModules();
  return { done, ...(await import('../../../playground/verify/leave-page.ts')) };
}

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const POSTED = ['post', ending.message, 'https://shop.example'];

describe('leaving the hosted page', () => {
  it('notifies the shop before it closes the window when the result was known at load', async () => {
    const { leaveNow, done } = await aWindow();
    leaveNow(ending);
    expect(done).toEqual([POSTED, ['close']]);
  });

  it('notifies the shop before it redirects in a window with earlier history', async () => {
    const { leaveNow, done } = await aWindow({ closed: false }, 2);
    leaveNow(ending);
    expect(done).toEqual([POSTED, ['go', ending.redirectUrl]]);
  });

  it('notifies the shop once even if the button is pressed several times', async () => {
    const { leavePage, leaveNow, done } = await aWindow();
    leavePage(ending);
    expect(done).toEqual([POSTED]);
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
});
