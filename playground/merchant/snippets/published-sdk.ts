/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-yYVuosz7EfGW6U7PF0pYeEHtzRnhqzkA/Wknr9omXwhSVwiqdqn8Tn9l4HDqi02t';
