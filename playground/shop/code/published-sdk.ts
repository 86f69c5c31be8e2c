/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-aCn8VTO2lkHcoeMpUkoYWF9Zc2x6AHlrkfXP6SE5cwfWGnrYV7Ip0o2nmdQvbhyr';
