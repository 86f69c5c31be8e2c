// Names and addresses of the service, as the server kit uses them.

/**
 * Must equal the value in `src/brand.ts`, which test/server/brand.test.ts checks. The value is repeated
 * because the kit imports nothing from the browser SDK.
 */
export const API_BASE = 'https://api.ofage.example/api/v1';

/** The page that explains every error code of the kit. Each message links to it, followed by its code. */
export const HELP_URL = 'https://docs.ofage.example/errors/';

/**
 * The name of the request header that carries a webhook's signature, in lower case, as `Headers`,
 * Node and every framework built on them spell it.
 *
 * @example
 * ```ts
 * import { WEBHOOK_SIGNATURE_HEADER } from 'ofage/server';
 *
 * export const signatureOf = (request: Request): string | null =>
 *   request.headers.get(WEBHOOK_SIGNATURE_HEADER);
 * ```
 */
export const WEBHOOK_SIGNATURE_HEADER = 'x-ofage-signature';
