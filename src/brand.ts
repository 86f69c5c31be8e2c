// Names and addresses of the service, as the browser SDK uses them.

export const BRAND = 'OfAge';

/** The prefix of the names of windows, channels and storage keys. */
export const NAMESPACE = 'ofage';

export const MESSAGE_TYPE = 'ofage:verification:complete';

/**
 * The type of the message in which the hosted page announces that it is present (`present: true`), or that
 * it navigates to another origin.
 */
export const PRESENCE_TYPE = 'ofage:verification:presence';

/**
 * The type of the message that handleReturn() sends from the merchant's return page. The hosted page never
 * sends it.
 */
export const RELAY_TYPE = 'ofage:return';

export const ERROR_NAME = 'OfAgeError';

/**
 * The folder of the pages about the error codes. Each message links to the page of its code. It must stay in
 * one piece in the bundle, because the mock server replaces it with its own address.
 */
export const HELP_URL = 'https://docs.ofage.example/errors/';

/** `npm run bump` writes it, because this file also runs without a build. */
export const VERSION = '3.5.6';

/** Must stay in one piece in the bundle, because the mock server replaces it with its own address. */
export const PRODUCTION_API = 'https://api.ofage.example/api/v1';

export const STAGING_API: string = PRODUCTION_API.replace('//api', '//api.staging');

export const API_BASES = { production: PRODUCTION_API, staging: STAGING_API };
