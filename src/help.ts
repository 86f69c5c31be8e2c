import { HELP_URL } from './brand.ts';

let base = HELP_URL;

/** Returns the end of a message, with a link to the page about a code. */
export const seeHelp = (code: string): string => `. See ${base}${code}`;

/**
 * Makes all messages link to the mock at a loopback address. At another address, which MSW may intercept, no
 * page exists, so the messages name the command that prints it. Only ofage/testing calls this, so a bundler
 * drops it from a shop's page.
 */
export const linkToMock = (apiBase: string): void => {
  const [, origin] =
    /^(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)\//.exec(apiBase) || [];
  base = origin ? `${origin}/help/` : 'npx ofage-mock explain ';
};
