import type { Cell } from './cell.ts';
import { bundlerCells } from './cells/bundlers.ts';
import { documentationCells } from './cells/documentation.ts';
import { exampleCells } from './cells/examples.ts';
import { frameworkCells } from './cells/frameworks.ts';
import { printedServerCells } from './cells/printed-servers.ts';
import { runtimeCells } from './cells/runtimes.ts';
import { testRunnerCells } from './cells/test-runners.ts';
import { typeCells } from './cells/types.ts';

/**
 * All cells. `npm test` leaves out those that need a project of `nightly/`, and those on demand. Each of the
 * others takes at most a few seconds.
 */
export const CELLS: readonly Cell[] = [
  ...typeCells,
  ...bundlerCells,
  ...testRunnerCells,
  ...runtimeCells,
  ...documentationCells,
  ...exampleCells,
  ...printedServerCells,
  ...frameworkCells,
];
