/** Returns the rows of all tables, grouped by the path of the page that is written for their code. */
export function readCodes(): Map<string, readonly { code: string; cause: string; fix: string }[]>;
