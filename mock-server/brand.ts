/** Names and addresses of the service, as the mock uses them. */

export const BRAND = 'OfAge';

/** The version of the API, which its path begins with. */
export const API_VERSION = 'v1';

export const API_ORIGIN = 'https://api.ofage.example';
export const STAGING_API_ORIGIN = 'https://api.staging.ofage.example';
export const VERIFY_URL = 'https://verify.ofage.example/';

/** An `externalUserId` that starts with this names the scenario that its session takes. */
export const SCENARIO_PREFIX = 'ofage_test:';
