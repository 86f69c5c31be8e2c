/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-CsJI4X71Vxw8A+oG3g3RODP9pEZxhPO6xP/ncQm+rV7BcsSdW/vpJdTJBngw5k+q';
