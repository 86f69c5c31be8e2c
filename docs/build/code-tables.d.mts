/** Returns the rows of all tables of codes, by the path of the page that each gets. */
export function readCodes(): Map<string, readonly { code: string; cause: string; cure: string }[]>;
