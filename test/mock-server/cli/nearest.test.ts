import { describe, expect, it } from 'vitest';
import { nearest } from '../../../mock-server/cli/nearest.ts';

const WORDS = ['start', 'settle', 'sessions', 'events', 'endpoints', 'scenarios', 'clock', 'test'];

describe('nearest()', () => {
  it.each<[string, string | undefined, string]>([
    ['strat', 'start', 'two letters changed places'],
    ['evnts', 'events', 'one is missing'],
    ['clokc', 'clock', 'at the end'],
    ['EVENTS', 'events', 'capitals'],
    ['sess', 'sessions', 'the beginning of one word'],
    ['se', undefined, 'the beginning of two'],
    ['tset', 'test', 'a short word'],
    ['nonsense', undefined, 'nothing like it'],
    ['', undefined, 'nothing at all'],
    ['toast', undefined, 'two slips in a short word are another word'],
  ])('%j means %j: %s', (typed, expected) => {
    expect(nearest(typed, WORDS)).toBe(expected);
  });
});
