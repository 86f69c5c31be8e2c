import { HELP_URL } from './brand.ts';

let base = HELP_URL;

/** Returns the link to the page about a code. */
export const toHelpUrl = (code: string): string => base + code;

/**
 * Makes all messages link to the pages of the mock if this is its address, and otherwise to the
 * documentation. The newest client of the process decides, because a webhook's error knows no address.
 */
export function linkToHelpOf(baseUrl: unknown): void {
  const [, mock] =
    /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)\//.exec(String(baseUrl)) ?? [];
  base = mock === undefined ? HELP_URL : `${mock}/help/`;
}
