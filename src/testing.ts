/** The parts of the SDK that ofage/testing uses. No bundle for a shop's page contains this module. */

import { createOfAge, type OfAgeConstructor } from './of-age.ts';

export type { OfAge, OfAgeConstructor } from './of-age.ts';
export type { OfAgeOptions, VerifyOptions } from './options.ts';
export type { CancelledResult, CompletedResult, VerifyResult } from './outcome.ts';

/**
 * Makes the SDK's constructor for another service: a mock on this computer, for example.
 *
 * The `OfAge` of `ofage` is bound to the production service for good, so that no page can point it
 * elsewhere. This one takes its place in a test. Everything else about it is the same.
 *
 * @param apiBase - where the API is, up to and with its version: `http://127.0.0.1:4010/api/v1`
 * @returns the constructor, for both environments bound to that address
 * @throws TypeError when the address is not absolute, or not http(s)
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
  return createOfAge(base, base);
}
