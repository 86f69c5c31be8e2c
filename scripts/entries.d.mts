/** See entries.mjs. */
export const ENTRIES: readonly string[];
