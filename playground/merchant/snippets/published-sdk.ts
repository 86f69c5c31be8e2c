/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-XtZ/lEGGwTgR/8Qbm0N0RBk2lnkVc1dX7vT/bmSOxMwRXnDRtdFglMwZEiaCEZ4r';
