/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-xLvLidiWY6+OhA/xPvPt1tzpGRUo9TT3KTlGkpHX+GvyUKC+p53Z5s6clREr+aF8';
