// The script-tag file of the last release. `npm run bump` writes both.
export const SDK_VERSION = '3.5.6';
/** Its `integrity` attribute. */
export const SDK_INTEGRITY =
  'sha384-z4Mq0tkW1po9LH2zWkCTrGaztiXxvVQ2t3pDd7NPX0YEE+2zOjE6nAXxVmXn+ois';
