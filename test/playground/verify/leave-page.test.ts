import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toEnding } from '../../../playground/verify/ending.ts';
import { aSession } from './a-session.ts';

const ending = toEnding(aSession({ status: 'verified' }), false)!;

/** A window of the hosted page, and what happens to it, in order. */
async function aWindow(opener: { closed: boolean } | null = { closed: false }, visited = 1) {
  const done: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void done.push([name, ...args]);
  const shop = opener && { ...opener, postMessage: note('tell') };
  vi.stubGlobal('window', { opener: shop, close: note('close') });
  vi.stubGlobal('location', { replace: note('go') });
  vi.stubGlobal('history', { length: visited });
  // Each page has its own.
  vi.resetModules();
  return { done, ...(await import('../../../playground/verify/leave-page.ts')) };
}

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const TOLD = ['tell', ending.message, 'https://shop.example'];

describe('leaving the hosted page', () => {
  it('tells the shop before it closes a window whose check was over when it came up', async () => {
    const { leaveNow, done } = await aWindow();
    leaveNow(ending);
    expect(done).toEqual([TOLD, ['close']]);
  });

  it('tells the shop before it goes on in a window that was used before', async () => {
    const { leaveNow, done } = await aWindow({ closed: false }, 2);
    leaveNow(ending);
    expect(done).toEqual([TOLD, ['go', ending.redirectUrl]]);
  });

  it('tells the shop once, however often the button is pressed while the result is shown', async () => {
    const { leavePage, leaveNow, done } = await aWindow();
    leavePage(ending);
    expect(done).toEqual([TOLD]);
    leaveNow(ending);
    leaveNow(ending);
    vi.advanceTimersByTime(ending.shownMs);
    expect(done.filter(([name]) => name === 'tell')).toHaveLength(1);
  });

  it.each([
    { opener: null, why: 'none' },
    { opener: { closed: true }, why: 'one that is closed' },
  ])('goes where the shop asked when the window has $why for an opener', async ({ opener }) => {
    const { leaveNow, done } = await aWindow(opener);
    leaveNow(ending);
    expect(done).toEqual([['go', ending.redirectUrl]]);
  });
});
