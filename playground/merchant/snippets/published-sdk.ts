/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-iEoHU4j07nWiAFqTN7rTtHY2wLKKYLkwWBx50FaVXNMtV6dBczYrClitCxoOhXoU';
