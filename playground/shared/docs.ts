import { IS_STATIC } from './site.ts';

/**
 * The address of the documentation on this server, which adds it to its pages. Null if the server has none,
 * like that of the package, and in the static playground.
 */
export const OWN_DOCS: string | null = document.documentElement.dataset['docs'] ?? null;

/** Returns the address of this server's page about a code. Null in the static playground. */
export const helpUrl = (code: string): string | null => (IS_STATIC ? null : `/help/${code}`);
