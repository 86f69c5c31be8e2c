import { HELP_URL } from './brand.ts';

/** Returns the link to the page about a code. */
export const toHelpUrl = (code: string): string => HELP_URL + code;

/**
 * Makes an error of a client link to the help of the mock that has this address, in its message and in its
 * stack. At another address, the link to the documentation stays. Returns the error.
 */
export function linkToHelpOf(baseUrl: unknown, error: unknown): unknown {
  const [, mock] =
    /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)\//.exec(String(baseUrl)) ?? [];
  if (mock === undefined || !(error instanceof Error)) return error;
  const relink = (text: string): string => text.replace(HELP_URL, `${mock}/help/`);
  error.message = relink(error.message);
  if (error.stack !== undefined) error.stack = relink(error.stack);
  return error;
}
