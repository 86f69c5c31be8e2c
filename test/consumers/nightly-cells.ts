import type { Cell } from './cell.ts';
import { frameworkCells } from './cells/frameworks.ts';
import { pageBundlerCells } from './cells/page-bundlers.ts';
import { otherRuntimeCells } from './cells/other-runtimes.ts';

/** The cells that are too slow for `npm test`. Each needs an installed project. */
export const NIGHTLY_CELLS: readonly Cell[] = [
  ...frameworkCells,
  ...pageBundlerCells,
  ...otherRuntimeCells,
];
