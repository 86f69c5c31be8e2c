import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../playground/console/timeline/entry.ts';
import {
  type Block,
  findPageUrl,
  groupEntries,
  takeNewest,
} from '../../../playground/console/timeline/group-entries.ts';

/** Entries as the timeline has them: of a verification, of a session, of both or of neither. */
type Given = Pick<Entry, 'id'> & Partial<Entry>;

const toEntry = (given: Given): Entry =>
  ({ kind: 'request', sessionId: null, call: null, detail: null, ...given }) as Entry;

const group = (given: readonly Given[]): Block[] => groupEntries(given.map(toEntry));

/** Returns each block as its session or verification, and the ids of its entries. */
const read = (blocks: readonly Block[]): string[] =>
  blocks.map((block) => {
    const ids = block.entries.map(({ id }) => id).join(' ');
    return block.kind === 'single' ? ids : `${block.sessionId ?? 'no session'}: ${ids}`;
  });

describe('groupEntries()', () => {
  it.each<[promise: string, given: readonly Given[], blocks: readonly string[]]>([
    ['returns nothing for nothing', [], []],
    [
      'puts what belongs to no verification between the groups, in the order of time',
      [
        { id: 'reset' },
        { id: 'a', sessionId: 's1' },
        { id: 'clock' },
        { id: 'settings' },
        { id: 'b', sessionId: 's2' },
      ],
      ['reset', 's1: a', 'clock', 'settings', 's2: b'],
    ],
    [
      'makes one group of a verification and its session',
      [
        { id: 'called', call: 'x', sessionId: 's1' },
        { id: 'create', sessionId: 's1' },
        { id: 'opened', call: 'x', sessionId: 's1' },
        { id: 'completed', sessionId: 's1' },
      ],
      ['s1: called create opened completed'],
    ],
    [
      'has a group for a verification without a session, and for each further one',
      [
        { id: 'called', call: 'x' },
        { id: 'blocked', call: 'x' },
        { id: 'again', call: 'y' },
      ],
      ['no session: called blocked', 'no session: again'],
    ],
    ['has a group for a session without reports', [{ id: 'a', sessionId: 's1' }], ['s1: a']],
    [
      'has one group for two verifications in one session',
      [
        { id: 'a', call: 'x', sessionId: 's1' },
        { id: 'b', call: 'y', sessionId: 's1' },
      ],
      ['s1: a b'],
    ],
    [
      'places a group by its newest entry',
      [
        { id: 'old', sessionId: 's1' },
        { id: 'clock' },
        { id: 'new', sessionId: 's2' },
        { id: 'retry', sessionId: 's1' },
      ],
      ['clock', 's2: new', 's1: old retry'],
    ],
  ])('%s', (_promise, given, blocks) => {
    expect(read(group(given))).toEqual(blocks);
  });

  it('gives each block an id of its own, whatever a page reports', () => {
    const blocks = group([
      { id: 'a', call: 'x', sessionId: 's1' },
      { id: 'b', call: 'x', sessionId: 's2' },
      { id: 'c', call: 'y' },
      { id: 'd' },
    ]);
    expect(new Set(blocks.map(({ id }) => id)).size).toBe(blocks.length);
  });
});

describe('takeNewest()', () => {
  const blocks = group([
    { id: 'a', sessionId: 's1' },
    { id: 'b', sessionId: 's1' },
    { id: 'clock' },
    { id: 'c', sessionId: 's2' },
    { id: 'd', sessionId: 's2' },
  ]);
  it.each([
    [1, ['s2: c d'], 3],
    [2, ['s2: c d'], 3],
    [3, ['clock', 's2: c d'], 2],
    [4, ['s1: a b', 'clock', 's2: c d'], 0],
    [9, ['s1: a b', 'clock', 's2: c d'], 0],
  ])('takes whole groups until there are %i entries', (count, taken, older) => {
    const newest = takeNewest(blocks, count);
    expect({ taken: read(newest.blocks), older: newest.older }).toEqual({ taken, older });
  });
});

describe('the page of a verification', () => {
  const create = { operation: 'create', origin: 'http://localhost:3000' };
  const report = { pageUrl: 'http://localhost:3000/shop' };
  it.each([
    ['is that of its reports', [create, report], report.pageUrl],
    ['is the origin of the call that created it', [create], create.origin],
    ['is not that of the hosted page', [{ ...create, operation: 'hosted' }], null],
    ['is unknown if the server created it', [{ ...create, origin: null }], null],
  ])('%s', (_promise, details, url) => {
    const entries = details.map((detail, at) => toEntry({ id: `${at}`, detail }));
    expect(findPageUrl(entries)).toBe(url);
  });
});
