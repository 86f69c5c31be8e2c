/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-2X1iEDisNE83giKJWVD2SqkwbgM6yZSotevPkuPacnA1HWnypKtElplHNlc4gOvi';
