import { describe, expect, it } from 'vitest';
import { type Entry, filterEntries } from '../../../playground/console/timeline/entry.ts';
import { orderEntries } from '../../../playground/console/timeline/order-entries.ts';
import { createTimeline } from '../../../playground/console/timeline/timeline.ts';
import { toClockEntry } from '../../../playground/console/timeline/to-entries.ts';

let count = 0;

/** Creates a timeline entry. Set `virtualMs` for an entry of the service, or `realMs` for one of a page. */
function anEntry(fields: Partial<Entry> = {}): Entry {
  count += 1;
  return {
    id: `entry-${count}`,
    kind: 'session',
    virtualMs: null,
    realMs: null,
    receivedMs: null,
    title: 'Something happened',
    tone: 'neutral',
    sessionId: null,
    call: null,
    detail: null,
    ...fields,
  };
}

const service = (id: string, virtualMs: number, fields = {}) =>
  anEntry({ id, virtualMs, receivedMs: virtualMs, ...fields });

const idsOf = (entries: readonly { readonly id: string }[]): string[] =>
  entries.map(({ id }) => id);

describe('the timeline', () => {
  it('replaces an entry that arrives again, and keeps its first time of receipt', () => {
    const timeline = createTimeline();
    timeline.add([service('attempt', 10, { title: 'attempt 1 → …' })]);
    timeline.add([service('attempt', 10, { title: 'attempt 1 → 200', receivedMs: 900 })]);
    expect(timeline.list()).toMatchObject([{ title: 'attempt 1 → 200', receivedMs: 10 }]);
  });

  it('adds the id of the session to all entries of the SDK call that created it', () => {
    const timeline = createTimeline();
    timeline.add([
      anEntry({ id: 'called', kind: 'sdk', realMs: 1, call: 'a' }),
      anEntry({ id: 'resolved', kind: 'sdk', realMs: 2, call: 'a', sessionId: 'session-1' }),
      anEntry({ id: 'another', kind: 'sdk', realMs: 3, call: 'b' }),
    ]);
    expect(timeline.list().map(({ sessionId }) => sessionId)).toEqual([
      'session-1',
      'session-1',
      null,
    ]);
  });

  it('removes entries that the service no longer stores, but not those of pages and the clock', () => {
    const timeline = createTimeline();
    timeline.add([
      anEntry({ id: 'page', kind: 'page', realMs: 1 }),
      service('moved', 2, { kind: 'clock' }),
      service('gone', 3),
      service('kept', 4),
    ]);
    timeline.replaceService([service('kept', 4), service('new', 5)]);
    expect(idsOf(timeline.list())).toEqual(['page', 'moved', 'kept', 'new']);
  });

  it('does not show cleared entries again', () => {
    const timeline = createTimeline();
    timeline.add([service('old', 1)]);
    timeline.clear();
    timeline.replaceService([service('old', 1), service('new', 2)]);
    expect(idsOf(timeline.list())).toEqual(['new']);
  });

  it('keeps at most 20,000 entries, and removes the oldest first', () => {
    const timeline = createTimeline();
    timeline.add(Array.from({ length: 20_001 }, (_, index) => service(`e${index}`, index)));
    const kept = timeline.list();
    expect(kept.length).toBeLessThanOrEqual(20_000);
    expect(kept.at(-1)?.id).toBe('e20000');
    expect(kept[0]?.id).not.toBe('e0');
  });
});

it('the timeline shows clock moves, but not the passing of time', () => {
  const reading = (now: string, frozen = false, receivedMs = 0) => ({
    clock: { now: `2026-01-01T${now}.000Z`, frozen },
    receivedMs,
  });
  const titleOf = (...args: Parameters<typeof toClockEntry>) =>
    toClockEntry(...args)?.title ?? null;
  const start = reading('08:00:00');
  expect(titleOf(start, reading('08:00:05', false, 5_000))).toBeNull();
  expect(titleOf(start, reading('08:10:05', false, 5_000))).toBe('Clock moved 10 min forward');
  expect(titleOf(start, reading('08:00:00', true, 100))).toBe('Clock frozen');
  expect(titleOf(start, reading('09:30:00', true))).toBe('Clock moved 1 h 30 min forward, frozen');
  expect(titleOf(reading('08:00:00', true), reading('08:00:00', false, 9_000))).toBe(
    'Clock resumed',
  );
  expect(titleOf(reading('08:00:00', true), reading('08:00:00', true, 9_000))).toBeNull();
  expect(titleOf(start, reading('07:00:00'))).toBe('Clock restarted');
});

describe('the filter', () => {
  const entries = [
    anEntry({
      id: 'a',
      kind: 'request',
      title: 'POST /create',
      sessionId: 's1',
      detail: { x: 'Zebra' },
    }),
    anEntry({ id: 'b', kind: 'event', title: 'verification.completed', sessionId: 's1' }),
    anEntry({ id: 'c', kind: 'event', title: 'session.started', sessionId: 's2' }),
  ];
  const all = { kinds: [], sessionId: null, text: '' };
  it.each([
    ['everything by default', {}, 'abc'],
    ['the entries of a kind', { kinds: ['event'] }, 'bc'],
    ['the entries of two kinds', { kinds: ['event', 'request'] }, 'abc'],
    ['the entries of a session', { sessionId: 's1' }, 'ab'],
    ['entries with the text in their title, in any case', { text: 'VERIFICATION' }, 'b'],
    ['entries with the text in their details', { text: 'zebra' }, 'a'],
    ['entries that contain all words', { text: 's1  request' }, 'a'],
    ['nothing if no entry contains all words', { text: 'zebra started' }, ''],
  ])('shows %s', (_name, filter, left) => {
    expect(idsOf(filterEntries(entries, { ...all, ...filter })).join('')).toBe(left);
  });
});

const HOUR = 3_600_000;

const order = (...args: Parameters<typeof orderEntries>): string[] =>
  orderEntries(...args).map(({ id }) => id);

const page = (id: string, realMs: number) => anEntry({ id, kind: 'sdk', realMs });
const request = (id: string, virtualMs: number, realMs: number) =>
  anEntry({ id, kind: 'request', virtualMs, realMs });
const event = (id: string, virtualMs: number, receivedMs: number | null = null) =>
  anEntry({ id, kind: 'event', virtualMs, receivedMs });

describe('orderEntries()', () => {
  it('puts entries of pages between the requests sent before and after them', () => {
    // The service's clock is an hour ahead.
    const entries = [
      page('resolved', 30),
      request('validate', HOUR + 40, 40),
      page('called', 5),
      event('completed', HOUR + 20),
      request('create', HOUR + 10, 10),
    ];
    expect(order(entries)).toEqual(['called', 'create', 'completed', 'resolved', 'validate']);
  });

  it('puts a cause before its effect if both have the same time', () => {
    const at = { virtualMs: 10, receivedMs: 10 };
    const entries = [
      anEntry({ id: 'attempt', kind: 'delivery', ...at }),
      anEntry({ id: 'event', kind: 'event', ...at }),
      anEntry({ id: 'session', kind: 'session', ...at }),
      request('request', 10, 10),
    ];
    expect(order(entries)).toEqual(['request', 'session', 'event', 'attempt']);
  });

  it('keeps the order of the service if its live messages are delayed or out of order', () => {
    const entries = [event('second', 20, 25), event('first', 10, 900), event('third', 30, 31)];
    expect(order(entries)).toEqual(['first', 'second', 'third']);
  });

  it('uses the time of receipt while the clock is frozen, even long after the last request', () => {
    const entries = [request('create', 10, 10), page('later', 5_000), event('settled', 10, 60_000)];
    expect(order(entries)).toEqual(['create', 'later', 'settled']);
  });

  it('puts a slightly delayed live message where its change happened', () => {
    // The message arrived 800 ms after the page's entry, which the same change had caused.
    const entries = [
      request('create', 10, 10),
      event('settled', 100, 1_000),
      page('resolved', 200),
    ];
    expect(order(entries)).toEqual(['create', 'settled', 'resolved']);
  });

  it('puts the effects of a clock move before the request that follows it', () => {
    const entries = [
      request('create', 0, 1_000),
      event('timeout', 10 * 60_000),
      page('seen', 3_000),
      request('validate', HOUR, 2_000),
    ];
    expect(order(entries)).toEqual(['create', 'timeout', 'validate', 'seen']);
  });

  it('sorts entries of the service by virtual time, regardless of their times of receipt', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const entries = Array.from({ length: 400 }, (_, index) =>
      random() < 0.3
        ? page(`page-${index}`, Math.floor(random() * 10_000))
        : anEntry({
            id: `service-${index}`,
            virtualMs: Math.floor(random() * 10_000),
            receivedMs: random() < 0.5 ? null : Math.floor(random() * 20_000),
            realMs: random() < 0.3 ? Math.floor(random() * 10_000) : null,
          }),
    );
    const ordered = orderEntries(entries);
    expect(ordered).toHaveLength(400);
    const virtual = ordered.flatMap(({ virtualMs }) => virtualMs ?? []);
    expect(virtual).toEqual(virtual.toSorted((a, b) => a - b));
    const placed = ordered.map(({ placedMs }) => placedMs);
    expect(placed).toEqual(placed.toSorted((a, b) => a - b));
  });
});
