/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-we9VvTvVwI5o+iGhNu1Q4LdpzN82f6w+wqBvtN/WhDBCzbNrC2DsG4KJWOVe/Gt3';
