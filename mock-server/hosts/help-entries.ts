import { type HelpEntry, readHelp } from '../../docs/build/help.mjs';

export type { HelpEntry } from '../../docs/build/help.mjs';

/**
 * The causes and fixes of all error codes and findings, read from the tables of the documentation. The build
 * replaces this module by its result (`scripts/rollup-plugins.mjs`), because the package has no documentation.
 */
export const HELP: readonly HelpEntry[] = readHelp();
