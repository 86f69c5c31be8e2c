/** Returns the pages that exist, as paths from the folder of the documentation. */
export function listPages(): string[];
