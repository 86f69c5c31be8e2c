/** The version of `ofage-mock`. `npm run bump` writes it, because this file also runs without a build. */
export const VERSION = '1.0.0';
