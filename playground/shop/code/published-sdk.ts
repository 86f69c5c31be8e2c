/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-kf1NFUVqXI+Gi6XcT/WPeVXVdzqvG93KYFVhMuokOx9YtnCY6tyZ03/6ZuQtb9w/';
