import { describe, expect, it } from 'vitest';
import { nearest } from '../../../mock-server/help/nearest.ts';

const WORDS = ['start', 'settle', 'sessions', 'events', 'endpoints', 'scenarios', 'clock', 'test'];

describe('nearest()', () => {
  it.each<[string, string | undefined, string]>([
    ['strat', 'start', 'two letters are swapped'],
    ['evnts', 'events', 'a letter is missing'],
    ['clokc', 'clock', 'two letters are swapped at the end'],
    ['EVENTS', 'events', 'the case is different'],
    ['sess', 'sessions', 'it is the beginning of one word'],
    ['se', undefined, 'it is the beginning of two words'],
    ['tset', 'test', 'two letters of a short word are swapped'],
    ['nonsense', undefined, 'no word is similar'],
    ['', undefined, 'the input is empty'],
    ['toast', undefined, 'two typos in a short word are too many'],
  ])('for %j returns %j, because %s', (typed, expected) => {
    expect(nearest(typed, WORDS)).toBe(expected);
  });
});
