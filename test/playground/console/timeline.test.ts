import { describe, expect, it } from 'vitest';
import { type Entry, filterEntries } from '../../../playground/console/timeline/entry.ts';
import { orderEntries } from '../../../playground/console/timeline/order-entries.ts';

let count = 0;

/** Creates a timeline entry. Set `virtualMs` for an entry of the service, or `realMs` for one of a page. */
function anEntry(fields: Partial<Entry> = {}): Entry {
  count += 1;
  return {
    id: `entry-${count}`,
    kind: 'session',
    virtualMs: null,
    realMs: null,
    cause: null,
    title: 'Something happened',
    tone: 'neutral',
    sessionId: null,
    call: null,
    detail: null,
    ...fields,
  };
}

const idsOf = (entries: readonly { readonly id: string }[]): string[] =>
  entries.map(({ id }) => id);

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
const request = (id: string, virtualMs: number, realMs: number, more: Partial<Entry> = {}) =>
  anEntry({ id, kind: 'request', virtualMs, realMs, ...more });
const event = (id: string, virtualMs: number, more: Partial<Entry> = {}) =>
  anEntry({ id, kind: 'event', virtualMs, ...more });

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
    const at = { virtualMs: 10 };
    const entries = [
      anEntry({ id: 'attempt', kind: 'delivery', ...at }),
      anEntry({ id: 'event', kind: 'event', ...at }),
      anEntry({ id: 'session', kind: 'session', ...at }),
      request('request', 10, 10),
    ];
    expect(order(entries)).toEqual(['request', 'session', 'event', 'attempt']);
  });

  it('puts the effects of a request behind it while the clock is frozen', () => {
    const of = (sessionId: string, cause: Entry['cause']) => ({ sessionId, cause });
    const entries = [
      event('validated of a', 10, of('a', 'validate')),
      event('settled of a', 10, of('a', 'settle')),
      event('created of b', 10, of('b', 'create')),
      event('created of a', 10, of('a', 'create')),
      request('validate a', 10, 4_000, of('a', 'validate')),
      request('submit a', 10, 3_000, of('a', 'settle')),
      request('create b', 10, 2_000, of('b', 'create')),
      request('create a', 10, 1_000, of('a', 'create')),
      page('resolved', 3_500),
    ];
    expect(order(entries)).toEqual([
      'create a',
      'created of a',
      'create b',
      'created of b',
      'submit a',
      'settled of a',
      'resolved',
      'validate a',
      'validated of a',
    ]);
  });

  it('estimates the time of entries of pages from when the clock was frozen and moved', () => {
    const entries = [
      request('create', 1_000, 1_000),
      page('before', 1_500),
      anEntry({
        id: 'frozen',
        kind: 'clock',
        virtualMs: 2_000,
        realMs: 2_000,
        anchors: [{ virtualMs: 2_000, realMs: 2_000, isFrozen: true }],
      }),
      page('while frozen', 9_000),
      anEntry({
        id: 'moved',
        kind: 'clock',
        virtualMs: 2_000,
        realMs: 10_000,
        anchors: [{ virtualMs: HOUR, realMs: 10_100 }],
      }),
      page('after the move', 20_000),
    ];
    const times = orderEntries(entries.toReversed()).map(({ id, atMs }) => [id, atMs]);
    expect(times).toEqual([
      ['create', 1_000],
      ['before', 1_500],
      ['frozen', 2_000],
      ['while frozen', 2_000],
      ['moved', 2_000],
      ['after the move', HOUR],
    ]);
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

  it('sorts entries of the service by virtual time', () => {
    let seed = 7;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const entries = Array.from({ length: 400 }, (_, index) =>
      random() < 0.3
        ? page(`page-${index}`, Math.floor(random() * 10_000))
        : anEntry({
            id: `service-${index}`,
            virtualMs: Math.floor(random() * 10_000),
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
