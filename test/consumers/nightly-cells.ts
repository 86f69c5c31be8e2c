import type { Cell } from './cell.ts';
import { frameworkCells } from './cells/frameworks.ts';
import { pageBundlerCells } from './cells/page-bundlers.ts';
import { otherRuntimeCells } from './cells/other-runtimes.ts';
import { slowTypeCells } from './cells/types.ts';

/** The cells of `npm run consumers` that are too slow for `npm test`. Most need an installed project. */
export const NIGHTLY_CELLS: readonly Cell[] = [
  ...frameworkCells,
  ...pageBundlerCells,
  ...otherRuntimeCells,
  ...slowTypeCells,
];
