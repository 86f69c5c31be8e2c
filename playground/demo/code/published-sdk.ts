// The script-tag file of the last release. `npm run bump` writes both.
export const SDK_VERSION = '3.5.6';
/** Its `integrity` attribute. */
export const SDK_INTEGRITY =
  'sha384-aCn8VTO2lkHcoeMpUkoYWF9Zc2x6AHlrkfXP6SE5cwfWGnrYV7Ip0o2nmdQvbhyr';
