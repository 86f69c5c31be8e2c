import { type HelpEntry, readHelp } from './read-help.ts';

/**
 * The causes and fixes of all error codes and findings, read from the tables of the documentation. The build
 * replaces this module by its result (`rollup.config.mjs`), because the package has no documentation.
 */
export const HELP: readonly HelpEntry[] = readHelp();
