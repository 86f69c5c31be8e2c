/**
 * What happens to a verification window, as timelines, and what the SDK makes of it. A window that the
 * shopper closed and one that COOP severed look the same: `closed` turns to true.
 */
import { describe, expect, it, vi } from 'vitest';
import { PRESENCE_TYPE } from '../../src/brand.ts';
import { world } from './world.ts';
import { start, useWindows, warned } from './a-watched-window.ts';

useWindows();

const announce = (present: boolean | null, event = {}): void =>
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
  'the hosted page arrives': () => world.popup().commit(),
  'the hosted page arrives, on the origin of the shop': () =>
    world.popup().commit('https://merchant.example/verify/'),
  'the hosted page announces itself': () => announce(true),
  'the hosted page announces that it is left': () => announce(false),
  'the hosted page unloads': () => announce(null),
  // As in WebKit, where the message of a closing window has no source.
  'the hosted page unloads after the close': () => announce(null, { source: null }),
  'a dialog of the blank page stops the close': () => world.popup().askToUnload(),
  'the clock is set back by a day': () => vi.setSystemTime(Date.now() - 86_400_000),
  'the window is closed': () => world.popup().closeByHand(),
  'the window is severed': () => world.popup().cutOff(),
};

interface Timeline {
  readonly why: string;
  readonly tab?: true;
  /** Each event with the time since the one before it, in milliseconds. */
  readonly events: readonly (readonly [afterMs: number, event: keyof typeof EVENTS])[];
}

/** Starts an attempt and plays the events. */
async function play({ events, tab }: Timeline) {
  const attempt = await start(tab ? { newTabTarget: 'tab' } : {});
  for (const [afterMs, event] of events) {
    await world.elapse(afterMs);
    EVENTS[event]();
  }
  return attempt;
}

/** The events of a window that this browser opened in the foreground, so it reports the focus. */
const OPENED = [0, 'this page loses the focus'] as const;
const ARRIVED = [0, 'the hosted page arrives'] as const;

/** The page gets the focus at a time that counts from the end of the window. */
const toEnd = (
  end: 'the window is closed' | 'the window is severed',
  { afterMs, focusMs }: { afterMs: number; focusMs: number },
): Timeline['events'] =>
  focusMs < 0
    ? [
        [afterMs + focusMs, 'this page gets the focus'],
        [-focusMs, end],
      ]
    : [
        [afterMs, end],
        [focusMs, 'this page gets the focus'],
      ];

const SEVERED: readonly Timeline[] = [
  ...[-1000, -500, -300, -100, -10, 0, 10, 100, 300, 500, 1000].map((focusMs) => ({
    why: `severed while the hosted page loads, with the focus at ${focusMs} ms`,
    events: [OPENED, ...toEnd('the window is severed', { afterMs: 1000, focusMs })],
  })),
  ...[-500, 500].map((focusMs) => ({
    why: `severed by a bank after the hosted page worked, with the focus at ${focusMs} ms`,
    events: [OPENED, ARRIVED, ...toEnd('the window is severed', { afterMs: 5500, focusMs })],
  })),
  {
    why: 'severed by a bank, and this page gets no focus',
    events: [OPENED, ARRIVED, [5500, 'the window is severed']],
  },
  {
    why: 'severed by a bank after a short visit to this page',
    events: [
      OPENED,
      ARRIVED,
      [5000, 'this page gets the focus'],
      [100, 'this page loses the focus'],
      [100, 'the window is severed'],
    ],
  },
  {
    why: 'severed 28 ms after its arrival, the longest of 60 runs in Chromium',
    events: [
      [212, 'the hosted page arrives'],
      [28, 'the window is severed'],
    ],
  },
  {
    why: 'severed just after the poll at 300 ms found another origin',
    events: [
      [290, 'the hosted page arrives'],
      [20, 'the window is severed'],
    ],
  },
  {
    why: 'severed in a tab that hides this page, which is not a return of the shopper',
    tab: true,
    events: [
      [0, 'this page is hidden'],
      [100, 'the window is severed'],
    ],
  },
  {
    why: 'severed in a tab that hides this page, although the hosted page worked',
    tab: true,
    events: [[0, 'this page is hidden'], ARRIVED, [5000, 'the window is severed']],
  },
  {
    why: 'severed at the moment at which this page is hidden',
    events: [ARRIVED, [5000, 'this page is hidden'], [0, 'the window is severed']],
  },
  {
    why: 'severed just before this page is hidden',
    events: [ARRIVED, [5000, 'the window is severed'], [0, 'this page is hidden']],
  },
  {
    why: 'severed, and the focus comes three seconds later',
    events: [
      [0, 'the window is severed'],
      [3000, 'this page gets the focus'],
    ],
  },
  {
    why: 'severed 1.1 s after the focus',
    events: [
      [0, 'this page gets the focus'],
      [1100, 'the window is severed'],
    ],
  },
  {
    why: 'severed by a bank after the hosted page announced that it is left',
    events: [
      ARRIVED,
      [0, 'the hosted page announces itself'],
      [5000, 'the hosted page announces that it is left'],
      [0, 'this page gets the focus'],
      [0, 'the window is severed'],
    ],
  },
  ...[-500, 500].map((focusMs) => ({
    why: `severed by a check on the hosted page's own origin, with the focus at ${focusMs} ms`,
    events: [
      OPENED,
      ARRIVED,
      [0, 'the hosted page announces itself'] as const,
      [5000, 'the hosted page unloads'] as const,
      ...toEnd('the window is severed', { afterMs: 500, focusMs }),
    ],
  })),
  {
    why: 'severed, although it announces itself afterwards',
    events: [OPENED, [0, 'the window is severed'], [2000, 'the hosted page announces itself']],
  },
  {
    why: 'severed long after a dialog stopped a close',
    events: [
      OPENED,
      [0, 'a dialog of the blank page stops the close'],
      ARRIVED,
      [5000, 'the window is severed'],
    ],
  },
];

describe('the attempt stays pending, and takes the result of the return page, if its window is', () => {
  it.each(SEVERED)('$why', async (timeline) => {
    const { seen, onCancel } = await play(timeline);
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
    expect(onCancel).not.toHaveBeenCalled();
    expect(world.assign).not.toHaveBeenCalled();
    expect(warned).toHaveBeenCalledOnce();
    world.relay({ status: 'verified' });
    await world.elapse(0);
    expect(seen.value).toMatchObject({ status: 'verified' });
  });
});

interface Close extends Timeline {
  /** The attempt is pending at the first time after the last event, and cancelled at the second. */
  readonly betweenMs: readonly [pending: number, cancelled: number];
}

const CLOSED: readonly Close[] = [
  {
    why: 'after one second if this page gets the focus',
    events: [ARRIVED, [5000, 'this page gets the focus'], [0, 'the window is closed']],
    betweenMs: [750, 1500],
  },
  {
    why: 'after one second if this tab is shown',
    tab: true,
    events: [
      ARRIVED,
      [0, 'this page is hidden'],
      [5000, 'the window is closed'],
      [0, 'this page is shown'],
    ],
    betweenMs: [750, 1500],
  },
  {
    why: 'after five seconds if this page gets no focus',
    events: [ARRIVED, [5000, 'the window is closed']],
    betweenMs: [4750, 5500],
  },
  {
    why: 'while the hosted page loads, if this page gets the focus',
    events: [
      [1000, 'the window is closed'],
      [0, 'this page gets the focus'],
    ],
    betweenMs: [750, 1500],
  },
  ...[-200, 0, 300].map((focusMs) => ({
    why: `with the focus at ${focusMs} ms`,
    events: [OPENED, ARRIVED, ...toEnd('the window is closed', { afterMs: 5000, focusMs })],
    betweenMs: [400, 1500] as const,
  })),
  {
    why: 'while the clock is set back',
    events: [
      ARRIVED,
      [3000, 'the clock is set back by a day'],
      [0, 'the window is closed'],
      [0, 'this page gets the focus'],
    ],
    betweenMs: [750, 1500],
  },
  {
    why: 'although the hosted page has the origin of this page and is readable',
    events: [
      [0, 'the hosted page arrives, on the origin of the shop'],
      [2000, 'the window is closed'],
    ],
    betweenMs: [750, 6000],
  },
  {
    why: 'after one second without focus if the hosted page announced itself',
    events: [OPENED, [0, 'the hosted page announces itself'], [200, 'the window is closed']],
    betweenMs: [900, 1200],
  },
  {
    why: 'after the return from a bank without COOP',
    events: [
      [0, 'the hosted page announces itself'],
      [2000, 'the hosted page announces that it is left'],
      [2000, 'the hosted page announces itself'],
      [2000, 'the window is closed'],
    ],
    betweenMs: [750, 1500],
  },
  {
    why: 'although the hosted page unloads with its window',
    events: [
      OPENED,
      ARRIVED,
      [0, 'the hosted page announces itself'],
      [5000, 'the window is closed'],
      [0, 'the hosted page unloads after the close'],
    ],
    betweenMs: [750, 1500],
  },
];

describe('the attempt is cancelled once when the shopper closes its window,', () => {
  it.each(CLOSED)('$why', async (timeline) => {
    const { seen, onCancel } = await play(timeline);
    const [pendingMs, cancelledMs] = timeline.betweenMs;
    await world.elapse(pendingMs);
    expect(seen.state).toBe('pending');
    await world.elapse(cancelledMs - pendingMs);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
    expect(onCancel).toHaveBeenCalledOnce();
    expect(world.assign).toHaveBeenCalledOnce(); // to cancelUrl
    expect(warned).not.toHaveBeenCalled();
  });
});
