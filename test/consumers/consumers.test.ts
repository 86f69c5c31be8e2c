import { describe, it } from 'vitest';
import { runCell } from './cell.ts';
import { CELLS } from './cells.ts';

/** Set by the step of `npm test` if the packages of this folder cannot be installed. */
const unavailable = process.env['CONSUMERS_UNAVAILABLE'];

describe('the packed package works with', () => {
  for (const cell of CELLS.filter(({ isOnDemand }) => isOnDemand !== true)) {
    const { name, skip } = cell;
    const reason = unavailable ?? skip?.();
    if (reason !== undefined) console.warn(`Skipped ${name}: ${reason}`);
    const test = reason === undefined ? it.concurrent : it.concurrent.skip;
    test(name, () => runCell(cell));
  }
});
