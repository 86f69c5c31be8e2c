/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-/oWOn4f8jxBPQQViNYds8nvuLRkof/dnkvwFsbzW8L/TFxnH1BkWF+6W9o8HJzZu';
