import {
  createTestOfAge as createSilentOfAge,
  LOOPBACK_HOSTS,
  type OfAgeConstructor,
} from '../../src/testing.ts';
import { REPORTS_PATH } from '../api/brand.ts';
import { createReporter } from '../reporter/reporter.ts';
import { reportOn } from '../reporter/report-on.ts';

/** Options of {@link createTestOfAge}. */
export interface TestOfAgeOptions {
  /**
   * Reports what the page does with the SDK to the mock at this address, as the script of the mock does. The
   * timeline of the console shows it. Only for a mock on this computer.
   * @default false
   */
  report?: boolean;
}

/**
 * Creates the SDK's constructor for another service, for example a mock on this computer.
 *
 * The `OfAge` of `ofage` always calls the service's own addresses, so that no page can point it elsewhere.
 * Use this constructor in its place in a test. Everything else is the same, except that errors link to the
 * pages of that mock.
 *
 * @param apiBase The base URL of the API, with its version: `http://127.0.0.1:4010/api/v1`. The same rules
 *   apply as for the `baseUrl` of the server kit.
 * @param options Whether the page reports to the mock.
 * @returns The constructor, bound to that address in both environments.
 * @throws {TypeError} if the address is not one of an API, or if a page should report to another computer.
 * @example
 * ```ts
 * import { createTestOfAge } from 'ofage-mock/testing';
 *
 * const OfAge = createTestOfAge('http://127.0.0.1:4010/api/v1', { report: true });
 * const ofAge = new OfAge({ apiKey: 'pk_test', returnUrl: 'http://localhost:3000/return' });
 * ```
 */
export function createTestOfAge(
  apiBase: string,
  { report = false }: TestOfAgeOptions = {},
): OfAgeConstructor {
  const OfAge = createSilentOfAge(apiBase);
  if (!report) return OfAge;
  const { origin, hostname } = new URL(apiBase);
  if (!LOOPBACK_HOSTS.includes(hostname))
    throw new TypeError(
      `report must be false for a service that is not on this computer, got the address "${origin}": reports are only for a mock at localhost or a loopback address`,
    );
  // A page without a document, such as a worker or a server, has no calls to report.
  if (typeof document !== 'object') return OfAge;
  const reporter = createReporter({
    url: origin + REPORTS_PATH,
    fetch: (url, init) => fetch(url, init),
  });
  return reportOn(OfAge, reporter);
}
