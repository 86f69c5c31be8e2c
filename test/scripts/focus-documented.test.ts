import { describe, expect, it } from 'vitest';
import { staying, type Cell, type Kind } from '../e2e/focus/cells.ts';
import { whyDocumented } from '../e2e/focus/documented.ts';

const aCell = (kind: Kind, change: Partial<Cell> = {}): Cell => ({
  ...staying({ engine: 'firefox', kind, target: 'popup' }),
  ...change,
});
const CANCELLED = 'ended as resolved cancelled closed';
const MISSED = 'the close was not detected';

describe('a fault of the focus matrix', () => {
  it.each([
    ['a return at the moment of an unannounced hop', aCell('hop'), CANCELLED, 100],
    ['a return at the moment of a challenge with COOP', aCell('challenge'), CANCELLED, -300],
    [
      'a return of a hidden shop soon after it',
      aCell('challenge', { target: 'tab' }),
      CANCELLED,
      900,
    ],
    ['a close just after the hosted page arrived', aCell('early'), MISSED, 400],
    [
      'a close in the hidden second of Chromium',
      aCell('early', { engine: 'chromium' }),
      MISSED,
      1200,
    ],
  ])('is documented: %s', (_, cell, fault, offsetMs) => {
    expect(whyDocumented({ cell, fault, offsetMs, story: '' })).toBeTypeOf('string');
  });

  it.each([
    ['a return long after a hop', aCell('hop'), CANCELLED, 900],
    ['a hop that ends as an error', aCell('hop'), 'ended as rejected navigation_failed', 100],
    ['an announced hop', aCell('announced'), CANCELLED, 100],
    ['a cut by the hosted page', aCell('cut'), CANCELLED, 100],
    ['a close of a page that worked', aCell('close'), MISSED, 3000],
    ['a close one second after the arrival', aCell('early'), MISSED, 1000],
    [
      'the same in a tab of Chromium',
      aCell('early', { engine: 'chromium', target: 'tab' }),
      MISSED,
      1000,
    ],
    ['a close that was noticed late', aCell('early'), 'resolved cancelled closed after 2600 ms', 0],
    ['a cell whose moment is unknown', aCell('early'), MISSED, undefined],
  ])('is not documented: %s', (_, cell, fault, offsetMs) => {
    const moment = offsetMs === undefined ? {} : { offsetMs };
    expect(whyDocumented({ cell, fault, story: '', ...moment })).toBeUndefined();
  });

  it('is none if the cell had the expected result', () => {
    expect(whyDocumented({ cell: aCell('hop'), offsetMs: 100, story: '' })).toBeUndefined();
  });
});
