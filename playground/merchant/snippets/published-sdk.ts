/** The `integrity` attribute of the published script-tag file. scripts/facts.mjs writes it. */
export const SDK_INTEGRITY =
  'sha384-Of3S3DIOm1QVF6VkbBuLdz5N/enhGNmifEnkwzZ8l4ZRxoZz/MBqPTlIYJrrDxch';
