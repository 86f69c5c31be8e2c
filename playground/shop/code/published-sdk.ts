/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-PLgwaku/kV//Suw2MeHg/FA5mVuNnkjZ4y1wKZ7oCxzAynQPw4ENap9E+YXzEXjP';
