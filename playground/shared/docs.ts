import { IS_STATIC } from './site.ts';

/**
 * Returns the address of a page of the documentation on this server, which links to the published
 * documentation if its own was not built. Null in the static playground, which has no server.
 */
export const docsUrl = (path: string): string | null => (IS_STATIC ? null : `/docs/${path}`);

/** Returns the address of this server's page about a code. Null in the static playground. */
export const helpUrl = (code: string): string | null => (IS_STATIC ? null : `/help/${code}`);
