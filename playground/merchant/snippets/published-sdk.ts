/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-C1JCGHRV227XT4L2EQF48u8AEAQlQoQsbrZilTxHqB6LGBhPYEFcvzCfBbNsxVkb';
