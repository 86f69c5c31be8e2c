/** The states of src/flows/window-watch.ts, in the order of its table. */
import { describe, expect, it } from 'vitest';
import { PRESENCE_TYPE } from '../../src/brand.ts';
import { newOfAge, watch, world } from './world.ts';
import { start, useWindows, warned } from './a-watched-window.ts';

useWindows();

const announce = (present: unknown, event = {}): void =>
  world.message({ type: PRESENCE_TYPE, present }, event);

/** Ways into each state, each of which ends with a window that is still open. */
const STATES: Record<string, () => unknown> = {
  loading: () => {},
  closing: () => world.popup().askToUnload(),
  arrived: () => world.popup().commit(),
  working: () => (world.popup().commit(), world.elapse(600)),
  present: () => (world.popup().commit(), announce(true)),
  'present, then unloading': () => (world.popup().commit(), announce(true), announce(null)),
  left: () => (world.popup().commit(), announce(true), announce(false)),
  'left, then present': () => (world.popup().commit(), announce(false), announce(true)),
  'left, then unloading': () => (world.popup().commit(), announce(false), announce(null)),
};

/** The results after the window turned to closed in a state. Undefined: the promise stays pending. */
const MEANINGS: Array<[state: string, withFocus?: 'closed', withoutFocus?: 'closed']> = [
  ['loading'],
  ['closing', 'closed'],
  ['arrived'],
  ['working', 'closed'],
  ['present', 'closed', 'closed'],
  ['present, then unloading', 'closed'],
  ['left'],
  ['left, then present', 'closed', 'closed'],
  ['left, then unloading'],
];

describe.each(MEANINGS)('closed in the state: %s', (state, withFocus, withoutFocus) => {
  it.each([
    ['gets the focus', true, withFocus],
    ['gets no focus', false, withoutFocus],
  ])('has the right result when this page %s', async (_, isFocused, reason) => {
    const { seen } = await start();
    world.emit('blur'); // this browser reports focus
    await world.elapse(500);
    await STATES[state]!();
    await world.elapse(100);
    world.popup().closed = true;
    if (isFocused) world.emit('focus');
    await world.elapse(1400);
    expect(seen.value).toEqual(reason && expect.objectContaining({ status: 'cancelled', reason }));
    await world.elapse(60_000);
    expect(seen.state).toBe(reason ? 'resolved' : 'pending');
    expect(warned).toHaveBeenCalledTimes(reason ? 0 : 1);
  });
});

it('a close that begins just before the session arrives is noticed', async () => {
  const seen = watch(newOfAge().verify());
  world.emit('blur');
  world.popup().beginClose(); // the shopper closes the window, but `closed` is still false
  await world.elapse(0); // the session arrives, and the SDK navigates the closing window in vain
  const { length } = world.popup().replaced;
  expect(length).toBe(1);
  world.popup().closed = true;
  world.emit('focus');
  await world.elapse(1900);
  expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
});

describe('an early close', () => {
  /** The create call is answered at once, and the hosted page arrives after this time. */
  const ARRIVES_MS = 350;
  const DELAYS = Array.from({ length: 20 }, (_, n) => (n + 1) * 100);
  /** In this time after its arrival, the hosted page may still be cut off. */
  const isUnclear = (ms: number): boolean => ms > ARRIVES_MS && ms <= ARRIVES_MS + 500;

  async function play(newTabTarget: 'popup' | 'tab', endMs: number, end: () => void) {
    const seen = watch(newOfAge({ newTabTarget }).verify());
    world.emit('blur');
    const isTab = newTabTarget === 'tab';
    world.hide(isTab);
    if (isTab) world.emit('visibilitychange');
    await world.elapse(Math.min(endMs, ARRIVES_MS));
    if (endMs > ARRIVES_MS) {
      world.popup().commit();
      await world.elapse(endMs - ARRIVES_MS);
    }
    if (!isTab) end();
    world.hide(false);
    world.emit('focus');
    world.emit('visibilitychange');
    // In a tab, the handle turns to closed after the shop is shown.
    if (isTab) {
      await world.elapse(60);
      end();
    }
    return seen;
  }

  describe.each(['popup', 'tab'] as const)('of a %s', (target) => {
    it.each(DELAYS.filter((ms) => !isUnclear(ms)))('after %i ms is noticed in 2 s', async (ms) => {
      const seen = await play(target, ms, () => world.popup().closeByHand());
      await world.elapse(1900);
      expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
    });

    it.each(DELAYS.filter(isUnclear))(
      'after %i ms looks like a cut, so the promise stays pending',
      async (ms) => {
        const seen = await play(target, ms, () => world.popup().closeByHand());
        await world.elapse(60_000);
        expect(seen.state).toBe('pending');
        world.relay({ status: 'verified' });
        await world.elapse(0);
        expect(seen.value).toMatchObject({ status: 'verified' });
      },
    );

    it.each(DELAYS)('and a cut with a focus after %i ms is not a close', async (ms) => {
      const seen = watch(newOfAge({ newTabTarget: target }).verify());
      world.emit('blur');
      await world.elapse(Math.min(ms, ARRIVES_MS));
      if (ms < ARRIVES_MS) world.emit('focus');
      await world.elapse(ARRIVES_MS - Math.min(ms, ARRIVES_MS));
      world.popup().commit();
      await world.elapse(187); // the longest time between the arrival and the cut in Chromium
      world.popup().closed = true;
      await world.elapse(Math.max(0, ms - ARRIVES_MS - 187));
      if (ms >= ARRIVES_MS) world.emit('focus');
      await world.elapse(60_000);
      expect(seen.state).toBe('pending');
    });
  });
});
