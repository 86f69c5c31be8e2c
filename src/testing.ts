/**
 * Exports the parts of the SDK that ofage-mock/testing uses. No bundle for a shop's page contains this module.
 */

import { HELP_URL } from './brand.ts';
import { createOfAge, type OfAgeConstructor } from './of-age.ts';
import type { OfAgeOptions } from './options.ts';

export type { OfAge, OfAgeConstructor } from './of-age.ts';
export type { OfAgeOptions, VerifyOptions } from './options.ts';
export type { CancelledResult, CompletedResult, VerifyResult } from './outcome.ts';

/**
 * Creates the SDK's constructor for another service, for example a mock on this computer.
 *
 * The `OfAge` of `ofage` always calls the service's own addresses, so that no page can point it elsewhere.
 * Use this constructor in its place in a test. Everything else is the same, except that errors link to the
 * pages of that mock.
 *
 * @param apiBase - the base URL of the API, with its version: `http://127.0.0.1:4010/api/v1`. The same rules
 *   apply as for the `baseUrl` of the server kit
 * @returns the constructor, bound to that address in both environments
 * @throws TypeError if the address is not one of an API
 * @example
 * ```ts
 * import { createTestOfAge } from 'ofage-mock/testing';
 *
 * const OfAge = createTestOfAge('http://127.0.0.1:4010/api/v1');
 * const ofAge = new OfAge({ apiKey: 'pk_test', returnUrl: 'http://localhost:3000/return' });
 * ```
 */
export function createTestOfAge(apiBase: string): OfAgeConstructor {
  const { origin, pathname } = parseApiBase(apiBase);
  const base = origin + pathname.replace(/\/$/, '');
  const relink = toRelink(origin);
  const Sdk = createOfAge(base, base, relink);
  return class extends Sdk {
    constructor(options: OfAgeOptions) {
      try {
        super(options);
      } catch (error) {
        relink(error as Error); // the constructor throws nothing else
        throw error;
      }
    }
  };
}

/** The names of this computer in a URL. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Parses the address by the rules of the server kit, so that a test uses one address for both. */
function parseApiBase(apiBase: string): URL {
  const got = `got "${apiBase}"`;
  if (!URL.canParse(apiBase)) refuse(`must be an absolute URL, ${got}`);
  const url = new URL(apiBase);
  if (url.username !== '' || url.password !== '') {
    refuse('must not contain a user name or a password');
  }
  const isLocal = LOOPBACK_HOSTS.includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    refuse(`must start with https://, or with http:// on localhost or 127.0.0.1, ${got}`);
  }
  if (url.search !== '' || url.hash !== '') {
    refuse(`must not have a query or a fragment, ${got}`);
  }
  if (!/\/api\/v1\/?$/.test(url.pathname)) refuse(`must end with /api/v1, ${got}`);
  return url;
}

function refuse(reason: string): never {
  throw new TypeError(`apiBase ${reason}`);
}

/**
 * Creates a function that makes an error link to the mock at a loopback address, in its message and in its
 * stack. At another address, which MSW may intercept, no page exists, so the error names the command that
 * prints it.
 */
function toRelink(origin: string): (error: Error) => void {
  const isLocal = LOOPBACK_HOSTS.includes(new URL(origin).hostname);
  const help = isLocal ? `${origin}/help/` : 'npx ofage-mock explain ';
  return (error) => {
    error.message = error.message.replace(HELP_URL, help);
    if (error.stack !== undefined) error.stack = error.stack.replace(HELP_URL, help);
  };
}
