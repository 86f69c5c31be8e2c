/**
 * What happens to a verification window, as timelines, and what the SDK makes of it. A window that the
 * shopper closed and one that COOP severed look the same: `closed` turns to true.
 */
import { describe, expect, it, vi } from 'vitest';
import { PRESENCE_TYPE } from '../../src/brand.ts';
import { begin, newOfAge, SESSION_ID, useWorld, watch, world } from './world.ts';

useWorld();

const CANCEL_URL = 'https://merchant.example/cancel';

/** Starts an attempt whose hosted page is loading. */
async function start(options = {}) {
  const onCancel = vi.fn();
  const seen = await begin({ onCancel, cancelUrl: CANCEL_URL, ...options });
  return { seen, onCancel };
}

const announce = (present: unknown, event = {}): void =>
  world.message({ type: PRESENCE_TYPE, present }, event);

const show = (isShown: boolean): void => {
  world.hide(!isShown);
  world.emit('visibilitychange');
};

const EVENTS = {
  'this page loses the focus': () => world.emit('blur'),
  'this page gets the focus': () => world.emit('focus'),
  'this page is hidden': () => show(false),
  'this page is shown': () => show(true),
  'the blank page is asked to unload': () => world.popup().askToUnload(),
  'the hosted page arrives': () => world.popup().commit(),
  'the hosted page announces itself': () => announce(true),
  'the hosted page announces that it is left': () => announce(false),
  'the hosted page unloads': () => announce(null),
  // As in WebKit, where the message of a closing window has no source.
  'the hosted page unloads after the close': () => announce(null, { source: null }),
  'the clock is set back by a day': () => vi.setSystemTime(Date.now() - 86_400_000),
  'the window is closed': () => world.popup().closeByHand(),
  'the window is severed': () => world.popup().cutOff(),
};

/** Each event with the time since the one before it, in milliseconds. */
type Timeline = readonly (readonly [afterMs: number, event: keyof typeof EVENTS])[];

async function play(timeline: Timeline): Promise<void> {
  for (const [afterMs, event] of timeline) {
    await world.elapse(afterMs);
    EVENTS[event]();
  }
}

/** The event of a window that this browser opened in the foreground, so it reports the focus. */
const OPENED = [0, 'this page loses the focus'] as const;
const ARRIVED = [0, 'the hosted page arrives'] as const;
const PRESENT = [0, 'the hosted page announces itself'] as const;
const LEFT = [0, 'the hosted page announces that it is left'] as const;
const UNLOADED = [0, 'the hosted page unloads'] as const;
const ASKED = [0, 'the blank page is asked to unload'] as const;
/** After this time, COOP can no longer cut the window off. */
const LATER = [600, 'this page loses the focus'] as const;

/**
 * The states of src/flows/window-watch.ts in the order of its table, with the events that lead to each, and
 * whether the attempt is cancelled after the window turned to closed. Otherwise it stays pending.
 */
const STATES: [state: string, events: Timeline, withFocus: boolean, withoutFocus: boolean][] = [
  ['loading', [], false, false],
  ['closing', [ASKED], true, false],
  ['closing, then arrived', [ASKED, ARRIVED], true, false],
  ['arrived', [ARRIVED], false, false],
  ['working', [ARRIVED, LATER], true, false],
  ['working, then present', [ARRIVED, LATER, PRESENT], true, true],
  ['working, then left', [ARRIVED, LATER, LEFT], false, false],
  ['loading, then present', [PRESENT], true, true],
  ['present', [ARRIVED, PRESENT], true, true],
  ['present, then unloading', [ARRIVED, PRESENT, UNLOADED], true, false],
  ['left', [ARRIVED, PRESENT, LEFT], false, false],
  ['left for a while', [ARRIVED, LEFT, LATER], false, false],
  ['left, then present', [ARRIVED, LEFT, PRESENT], true, true],
  ['left, then unloading', [ARRIVED, LEFT, UNLOADED], false, false],
];

/**
 * A return page on another origin reports nothing. So after the hosted page has arrived, only its announcement
 * proves that its messages reach this page, and that a shopper who closes the window has not passed.
 */
const ORIGINS = [
  { returnUrl: 'https://merchant.example/return', isProof: () => true },
  {
    returnUrl: 'https://www.merchant.example/return',
    isProof: (events: Timeline) => events.includes(PRESENT) || events.includes(ASKED),
  },
];

describe.each(ORIGINS)('with the return page $returnUrl,', ({ returnUrl, isProof }) => {
  describe.each(STATES)(
    'a window that turns to closed in the state: %s',
    (_, events, ...results) => {
      it.each([
        ['gets the focus', true, results[0]],
        ['gets no focus', false, results[1]],
      ])('has the right result when this page %s', async (_when, isFocused, isClosed) => {
        const isCancelled = isClosed && isProof(events);
        const { seen, onCancel } = await start({ returnUrl });
        world.warnings.length = 0;
        await play([OPENED, [500, 'this page loses the focus'], ...events]);
        await world.elapse(100);
        world.popup().closed = true;
        if (isFocused) world.emit('focus');
        await world.elapse(1400);
        expect(seen.value).toEqual(
          isCancelled
            ? expect.objectContaining({ status: 'cancelled', reason: 'closed' })
            : undefined,
        );
        await world.elapse(60_000);
        expect(seen.state).toBe(isCancelled ? 'resolved' : 'pending');
        expect(onCancel).toHaveBeenCalledTimes(isCancelled ? 1 : 0);
        expect(world.assign).toHaveBeenCalledTimes(isCancelled ? 1 : 0); // to cancelUrl
        expect(world.warnings).toHaveLength(isCancelled ? 0 : 1);
      });
    },
  );
});

/** The page gets the focus at a time that counts from the end of the window. */
const endWithFocus = (
  end: 'the window is closed' | 'the window is severed',
  focusMs: number,
): Timeline =>
  focusMs < 0
    ? [
        [5000 + focusMs, 'this page gets the focus'],
        [-focusMs, end],
      ]
    : [
        [5000, end],
        [focusMs, 'this page gets the focus'],
      ];

const SEVERED: readonly [why: string, timeline: Timeline, options?: object][] = [
  ...[-500, 500].map((focusMs): [string, Timeline] => [
    `and the focus comes at ${focusMs} ms`,
    [OPENED, ARRIVED, ...endWithFocus('the window is severed', focusMs)],
  ]),
  [
    'after a short visit to this page',
    [
      OPENED,
      ARRIVED,
      [5000, 'this page gets the focus'],
      [100, 'this page loses the focus'],
      [100, 'the window is severed'],
    ],
  ],
  [
    'at the moment at which a tab hides this page, which is not a return of the shopper',
    [ARRIVED, [5000, 'this page is hidden'], [0, 'the window is severed']],
    { newTabTarget: 'tab' },
  ],
  [
    'and announces itself afterwards',
    [OPENED, [0, 'the window is severed'], [2000, 'the hosted page announces itself']],
  ],
];

describe('the attempt stays pending, and takes the result of the return page, if its window is severed', () => {
  it.each(SEVERED)('%s', async (_, timeline, options) => {
    const { seen } = await start(options);
    await play(timeline);
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
    expect(world.warnings).toHaveLength(1);
    world.relay({ status: 'verified', timestamp: 1760000000000 });
    await world.elapse(0);
    expect(seen.value).toMatchObject({ status: 'verified', timestamp: 1760000000000 });
  });

  it('right after a second click brought it to the front', async () => {
    const ofAge = newOfAge();
    const seen = watch(ofAge.verify());
    await play([[200, 'this page gets the focus']]); // the shopper clicks the button again
    void ofAge.verify();
    await play([OPENED, [100, 'the window is severed']]);
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });
});

/** The attempt is pending at the first time after the last event, and cancelled at the second. */
type Close = [when: string, betweenMs: [number, number], timeline: Timeline, options?: object];

const CLOSED: readonly Close[] = [
  [
    'after one second if this page gets the focus',
    [900, 1200],
    [ARRIVED, [5000, 'this page gets the focus'], [0, 'the window is closed']],
  ],
  [
    'after one second if this tab is shown',
    [900, 1200],
    [
      ARRIVED,
      [0, 'this page is hidden'],
      [5000, 'the window is closed'],
      [0, 'this page is shown'],
    ],
    { newTabTarget: 'tab' },
  ],
  [
    'after five seconds if this browser reports no focus',
    [4750, 5500],
    [ARRIVED, [5000, 'the window is closed']],
  ],
  ...[-200, 0, 300].map((focusMs): Close => [
    `with the focus at ${focusMs} ms`,
    [400, 1500],
    [OPENED, ARRIVED, ...endWithFocus('the window is closed', focusMs)],
  ]),
  [
    'while the clock is set back',
    [900, 1200],
    [
      ARRIVED,
      [3000, 'the clock is set back by a day'],
      [0, 'the window is closed'],
      [0, 'this page gets the focus'],
    ],
  ],
  [
    'although the hosted page unloads with its window',
    [900, 1200],
    [
      OPENED,
      ARRIVED,
      PRESENT,
      [5000, 'the window is closed'],
      [0, 'the hosted page unloads after the close'],
    ],
  ],
];

describe('the attempt is cancelled when the shopper closes its window,', () => {
  it.each(CLOSED)('%s', async (_, [pendingMs, cancelledMs], timeline, options) => {
    const { seen } = await start(options);
    await play(timeline);
    await world.elapse(pendingMs);
    expect(seen.state).toBe('pending');
    await world.elapse(cancelledMs - pendingMs);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it('within half a second during session creation, aborts the request and skips cancelUrl', async () => {
    world.hang();
    const onError = vi.fn();
    const { seen, onCancel } = await start({ onError });
    world.popup().close();
    await world.elapse(500);
    expect(seen.value).toEqual({ status: 'cancelled', reason: 'closed_before_start' });
    expect(onCancel).toHaveBeenCalledOnce();
    expect(onError).not.toHaveBeenCalled(); // the aborted request is not reported
    expect(world.assign).not.toHaveBeenCalled(); // cancelUrl would need a sessionId
    expect((world.fetch.mock.calls[0]![1] as RequestInit).signal!.aborted).toBe(true);
  });

  it('with the sessionId just before the session arrives', async () => {
    const seen = watch(newOfAge({ cancelUrl: CANCEL_URL }).verify());
    world.popup().closed = true;
    await world.elapse(0);
    expect(seen.value).toEqual({
      status: 'cancelled',
      reason: 'closed_before_start',
      sessionId: SESSION_ID,
    });
    expect(world.popup().replaced).toEqual([]);
    expect(world.assign).toHaveBeenCalledOnce();
  });

  it('although `closed` is still false when the session arrives', async () => {
    const seen = watch(newOfAge().verify());
    world.emit('blur');
    world.popup().beginClose();
    await world.elapse(0); // the SDK navigates the closing window in vain
    expect(world.popup().replaced).toHaveLength(1);
    world.popup().closed = true;
    world.emit('focus');
    await world.elapse(1900);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });
});

describe.each(['popup', 'tab'] as const)('an early close of a %s', (newTabTarget) => {
  /** The create call is answered at once, and the hosted page arrives after this time. */
  const ARRIVES_MS = 350;

  /** Opens the window, closes it by hand after a time, and returns to the shop. */
  async function closeAfter(ms: number) {
    const isTab = newTabTarget === 'tab';
    const seen = watch(newOfAge({ newTabTarget }).verify());
    await play([OPENED, ...(isTab ? [[0, 'this page is hidden'] as const] : [])]);
    await world.elapse(Math.min(ms, ARRIVES_MS));
    if (ms > ARRIVES_MS) world.popup().commit();
    await world.elapse(Math.max(0, ms - ARRIVES_MS));
    if (isTab) {
      // The handle turns to closed after the shop is shown.
      await play([
        [0, 'this page gets the focus'],
        [0, 'this page is shown'],
        [60, 'the window is closed'],
      ]);
    } else {
      await play([
        [0, 'the window is closed'],
        [0, 'this page gets the focus'],
      ]);
    }
    return seen;
  }

  it.each([100, 300, 350, 900, 1500])('is noticed in 2 s: after %i ms', async (ms) => {
    const seen = await closeAfter(ms);
    await world.elapse(1900);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it.each([400, 800])('looks like a cut, so the promise stays pending: after %i ms', async (ms) => {
    const seen = await closeAfter(ms);
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });
});

describe('a message from a closing window', () => {
  it.each([
    ['verified', 0],
    ['cancelled', 1],
  ])('settles the attempt as %s within the grace period', async (status, cancels) => {
    const { seen, onCancel } = await start();
    await play([ARRIVED, [3000, 'this page gets the focus'], [0, 'the window is closed']]);
    await world.elapse(500);
    world.message({ status }, { source: null });
    await world.elapse(10_000);
    expect(seen.value).toMatchObject({ status });
    expect(onCancel).toHaveBeenCalledTimes(cancels);
  });
});

describe('an attempt whose window COOP severed', () => {
  it.each([
    ['the return page', () => world.relay({ status: 'failed' })],
    ['a message without source', () => world.message({ status: 'failed' }, { source: null })],
  ])('accepts the result of %s', async (_, report) => {
    const { seen } = await start();
    world.popup().cutOff();
    await world.elapse(60_000);
    report();
    await world.elapse(0);
    expect(seen.value).toMatchObject({ status: 'failed', sessionId: SESSION_ID });
  });

  it.each([
    ['another window', { present: true }, { source: {} }],
    ['another origin', { present: true }, { origin: 'https://evil.example' }],
    ['the return page’s origin', { present: true }, { origin: 'https://merchant.example' }],
    ['another session', { present: true, sessionId: 'another' }, {}],
    ['a script of this page', { present: true }, { isTrusted: false }],
    ['the page, with a value other than true', { present: 'yes' }, {}],
  ])('stays pending if the announcement comes from %s', async (_, fields, event) => {
    const { seen } = await start();
    world.emit('blur');
    world.message({ type: PRESENCE_TYPE, ...fields }, event);
    world.popup().cutOff();
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });
});
