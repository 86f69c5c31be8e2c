import { describe, expect, it } from 'vitest';
import { type Entry, filterEntries } from '../../../playground/console/timeline/entry.ts';
import { orderEntries } from '../../../playground/console/timeline/order-entries.ts';

let count = 0;

/** Creates a timeline entry. */
function anEntry(fields: Partial<Entry> = {}): Entry {
  count += 1;
  return {
    id: `entry-${count}`,
    kind: 'session',
    atMs: 0,
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

const order = (entries: readonly Entry[]): string[] => idsOf(orderEntries(entries));

const report = (id: string, atMs: number, realMs: number, more: Partial<Entry> = {}) =>
  anEntry({ id, kind: 'sdk', atMs, realMs, ...more });
const request = (id: string, atMs: number, realMs: number, more: Partial<Entry> = {}) =>
  anEntry({ id, kind: 'request', atMs, realMs, ...more });
const event = (id: string, atMs: number, more: Partial<Entry> = {}) =>
  anEntry({ id, kind: 'event', atMs, ...more });

describe('orderEntries()', () => {
  it('sorts by the clock of the service, also after a move', () => {
    const entries = [
      report('resolved', HOUR + 30, 30),
      request('validate', HOUR + 40, 40),
      report('called', HOUR + 5, 5),
      event('completed', HOUR + 20),
      request('create', HOUR + 10, 10),
      event('before the move', 9_000),
    ];
    expect(order(entries)).toEqual([
      'before the move',
      'called',
      'create',
      'completed',
      'resolved',
      'validate',
    ]);
  });

  it('sorts reports of the same millisecond in the order of arrival', () => {
    const entries = [3, 1, 2].map((no) => report(`report-${no}`, 10, 10, { no }));
    expect(order(entries)).toEqual(['report-1', 'report-2', 'report-3']);
  });

  it('puts a cause before its effect if both have the same time', () => {
    const at = { atMs: 10 };
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
      report('resolved', 10, 3_500),
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

  it('puts an entry whose real time is unknown before the move from its instant', () => {
    const entries = [
      anEntry({ id: 'moved', kind: 'clock', atMs: 10, realMs: 2_000 }),
      event('not delivered', 10),
      request('create', 10, 1_000),
    ];
    expect(order(entries)).toEqual(['create', 'not delivered', 'moved']);
  });
});
