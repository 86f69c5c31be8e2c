/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-joktLHRgUQ5W19I7kjEbRnLuuw98PjxMUzJ2tP44DemLoqeCuJxuOR5pf+lk6AqH';
