/** Returns all pages, as paths relative to docs/. */
export function listPages(): string[];
