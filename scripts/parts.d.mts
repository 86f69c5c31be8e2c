export interface Part {
  readonly name: string;
  readonly minutes: number;
}

/** See parts.mjs. */
export const PARTS: readonly Part[];
/** See parts.mjs. */
export const SLICE_MINUTES: number;
/** See parts.mjs. */
export function chooseSlice(
  parts: readonly Part[],
  options: { seed: number; minutes?: number },
): Part[];
