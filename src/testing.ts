/**
 * Exports the parts of the SDK that ofage/testing uses. No bundle for a shop's page contains this module.
 */

import { linkToMock } from './help.ts';
import { createOfAge, type OfAgeConstructor } from './of-age.ts';

export type { OfAge, OfAgeConstructor } from './of-age.ts';
export type { OfAgeOptions, VerifyOptions } from './options.ts';
export type { CancelledResult, CompletedResult, VerifyResult } from './outcome.ts';

/**
 * Creates the SDK's constructor for another service, for example a mock on this computer.
 *
 * The `OfAge` of `ofage` always calls the service's own addresses, so that no page can point it elsewhere.
 * Use this constructor in its place in a test. Everything else is the
 * same, except that messages link to the pages of that mock.
 *
 * @param apiBase - the base URL of the API, including its version: `http://127.0.0.1:4010/api/v1`
 * @returns the constructor, bound to that address in both environments
 * @throws TypeError if the address is not an absolute http or https URL
 * @example
 * ```ts
 * import { createTestOfAge } from 'ofage/testing';
 *
 * const OfAge = createTestOfAge('http://127.0.0.1:4010/api/v1');
 * const ofAge = new OfAge({ apiKey: 'pk_test', returnUrl: 'http://localhost:3000/return' });
 * ```
 */
export function createTestOfAge(apiBase: string): OfAgeConstructor {
  if (!/^https?:\/\/[^/]/.test(apiBase)) {
    throw new TypeError(`apiBase must be an absolute http(s) URL, got "${apiBase}"`);
  }
  const base = apiBase.replace(/\/+$/, '');
  linkToMock(base);
  return createOfAge(base, base);
}
