import { describe, expect, it } from 'vitest';
import { ENTRY_KINDS } from '../../../playground/inspector/entry.ts';
import { filterEntries } from '../../../playground/inspector/filter-entries.ts';
import { createTimeline } from '../../../playground/inspector/timeline.ts';
import { toClockEntry } from '../../../playground/inspector/to-entries.ts';
import { anEntry } from './an-entry.ts';

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
  const all = { kinds: new Set(ENTRY_KINDS), sessionId: null, text: '' };
  it.each([
    ['everything by default', {}, 'abc'],
    ['the entries of a kind', { kinds: new Set(['event'] as const) }, 'bc'],
    ['nothing if no kind is chosen', { kinds: new Set<never>() }, ''],
    ['the entries of a session', { sessionId: 's1' }, 'ab'],
    ['entries with the text in their title, in any case', { text: 'VERIFICATION' }, 'b'],
    ['entries with the text in their details', { text: 'zebra' }, 'a'],
    ['entries that contain all words', { text: 's1  request' }, 'a'],
    ['nothing if no entry contains all words', { text: 'zebra started' }, ''],
  ])('shows %s', (_name, filter, left) => {
    expect(idsOf(filterEntries(entries, { ...all, ...filter })).join('')).toBe(left);
  });
});
