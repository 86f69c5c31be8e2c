/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-RggZTRrG2NBrXO1YeHDC2RlsFuKwnXCpRSkYOUDG3SMUNlNug0E58Ykf1Nz+YPSH';
