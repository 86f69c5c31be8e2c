import type { Cell } from './cell.ts';

/** The cells of `npm run consumers` that take longer, or install large tools. */
export const NIGHTLY_CELLS: readonly Cell[] = [];
