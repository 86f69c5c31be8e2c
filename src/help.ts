import { HELP_URL } from './brand.ts';

/** Returns the end of a message, with a link to the page about a code. */
export const seeHelp = (code: string): string => `. See ${HELP_URL}${code}`;
