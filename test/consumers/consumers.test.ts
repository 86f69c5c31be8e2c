import { describe, it } from 'vitest';
import { runCell, type Cell } from './cell.ts';
import { CELLS } from './cells.ts';

describe('the packed package works with', () => {
  const isChosen = ({ project, isOnDemand }: Cell): boolean => project === undefined && !isOnDemand;
  for (const cell of CELLS.filter(isChosen)) {
    const { name, skip } = cell;
    const reason = skip?.();
    if (reason !== undefined) console.warn(`Skipped ${name}: ${reason}`);
    const test = reason === undefined ? it.concurrent : it.concurrent.skip;
    test(name, () => runCell(cell));
  }
});
