import type { MockService } from '../service/service.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { toTestAccount, type TestAccount } from './test-account.ts';

/** The `ofage` fixture: a new service and its first account. */
export interface ServiceAccount<Handler = unknown> extends TestAccount {
  readonly service: MockService & { readonly handlers: Handler[] };
  /** Sends a request to the service without MSW: `createClient({ fetch: ofage.fetch })`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/**
 * The functions that the fixtures use. They are passed in, so that this entry loads neither MSW nor a test
 * runner.
 */
export interface VitestParts<Handler> {
  /** `createMockService` of `ofage-mock`. */
  createMockService(options?: ServiceOptions): MockService & { readonly handlers: Handler[] };
  /**
   * `setupServer` of `msw/node`. All requests of the test to the production address, and to the one in the
   * variable `OFAGE_API_BASE`, then reach the mock service.
   * @default nothing is intercepted: use `ofage.fetch`, or `server.use(...ofage.service.handlers)`
   */
  setupServer?(...handlers: Handler[]): { listen(options?: object): void; close(): void };
  /**
   * Options of every test's service.
   * @default a frozen clock at the real time
   */
  options?: ServiceOptions;
}

/** The fixtures for Vitest's `test.extend`. */
export interface VitestFixtures<Handler = unknown> {
  /** Creates a service for the test, and provides its account. */
  ofage(context: object, use: (account: ServiceAccount<Handler>) => Promise<void>): Promise<void>;
}

/**
 * Creates fixtures for Vitest. A test that uses `ofage` has its own service in memory, with a frozen clock
 * that the test can advance.
 *
 * @param parts The functions that create the service and intercept requests.
 * @returns The fixtures for `test.extend`.
 * @example
 * ```ts
 * import { setupServer } from 'msw/node';
 * import { createMockService } from 'ofage-mock';
 * import { createClient } from 'ofage/server';
 * import { vitestFixtures } from 'ofage-mock/testing';
 * import { expect, test as base } from 'vitest';
 *
 * const test = base.extend(vitestFixtures({ createMockService, setupServer }));
 *
 * test('a shopper who is too young gets no access', async ({ ofage }) => {
 *   const client = createClient({ secretKey: ofage.secretKey });
 *   const { sessionId } = await client.createSession({ returnUrl: 'http://localhost/return' });
 *   await ofage.settle('failed_age_not_met');
 *   expect((await client.validateSession(sessionId)).verified).toBe(false);
 * });
 * ```
 * @see https://vitest.dev/guide/test-context
 */
export function vitestFixtures<Handler>(parts: VitestParts<Handler>): VitestFixtures<Handler> {
  return {
    // Vitest parses this parameter's source to find the other fixtures that this one needs: none.
    // oxlint-disable-next-line no-empty-pattern
    async ofage({}, use) {
      const service = parts.createMockService({ clock: { frozen: true }, ...parts.options });
      try {
        const server = parts.setupServer?.(...service.handlers);
        // Requests to other addresses pass through unchanged. MSW 2 and MSW 3 name this option differently.
        server?.listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' });
        try {
          const facts = { ...(await service.ready), apiBase: `${service.apiOrigin}/api/v1` };
          await use({
            ...toTestAccount(facts, service.control, service.clock),
            service,
            fetch: (input, init) => service.fetch(new Request(input, init)),
          });
        } finally {
          server?.close();
        }
      } finally {
        await service.close();
      }
    },
  };
}
