/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-GGMnKHbgDE2zvZ2GBIw2kL3jfSQCzAUBtOt86CpvejZcWNxMM9Fv9hi+QSHxeRut';
