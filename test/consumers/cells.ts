import type { Cell } from './cell.ts';
import { bundlerCells } from './cells/bundlers.ts';
import { documentationCells } from './cells/documentation.ts';
import { jestCells } from './cells/jest.ts';
import { runtimeCells } from './cells/runtimes.ts';
import { serverCells } from './cells/servers.ts';
import { typeCells } from './cells/types.ts';
import { vitestCells } from './cells/vitest.ts';

/** The cells whose tools are packages of this folder. Each takes at most a few seconds. */
export const CELLS: readonly Cell[] = [
  ...typeCells,
  ...bundlerCells,
  ...vitestCells,
  ...jestCells,
  ...runtimeCells,
  ...serverCells,
  ...documentationCells,
];
