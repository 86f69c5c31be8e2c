/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-93AL1f+SgGjGism/ycLJc3i8QSKLuZZe6w2fn5lgqxfireOIXn+sz++7LkicRoMh';
