// The script-tag file of the last release. `npm run bump` writes both.
export const SDK_VERSION = '3.5.6';
/** Its `integrity` attribute. */
export const SDK_INTEGRITY =
  'sha384-jRjoC3sdmmGQMtz87K/VroK44BjFgktMpmrH4R2UyZRZH1AFFjedZ7/LojyRpGsZ';
