/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-EGdO01XCLoKhHMKABzM0dnQQONSFMMjw4W/B4EHFL9vsjTedYOl7pBYUH9EcA/XP';
