import type { AccountInput } from '../control/input-types.ts';
import {
  A_BOOLEAN,
  A_FUNCTION,
  A_STRING,
  AN_ARRAY,
  assertOptions,
  type Check,
  type Checks,
} from '../option-checks.ts';

export interface MockServerOptions {
  /**
   * Port to listen on, 0 to 65535. 0 chooses a free port.
   * @default 4010
   */
  port?: number;
  /**
   * Loopback address to listen on. No other machine may reach a server that shows every secret.
   * @default '127.0.0.1'
   */
  host?: string;
  /**
   * Storage for the state, which then survives `kill -9`: a file, whose folder must exist and which needs
   * Node 22.13 or newer; or a PostgreSQL database that any number of servers may share, as
   * `postgres://user:password@host:port/database`, which needs the package `pg`.
   * @default undefined, which keeps state in memory
   */
  data?: string | undefined;
  /**
   * Makes ids, keys and secrets repeatable. An unsigned 32-bit integer.
   * @default undefined, which makes them random
   */
  seed?: number | undefined;
  /**
   * Accounts that the state must have, with their keys and webhook endpoints. What is there already is
   * brought in line; the first of them is the one that this server is described by.
   * @default undefined, which adds "Demo shop" to a new state
   */
  tenants?: readonly AccountInput[] | undefined;
  /** Sends every webhook of the account to this address too. It may be on this machine. */
  forwardTo?: string | undefined;
  /**
   * Lets webhook endpoints be on this machine, over http too. A `forwardTo` on this machine implies it;
   * `shopBackend` opens its own origin alone.
   * @default false
   */
  allowLoopbackWebhooks?: boolean;
  /** The address of the demo shop's own server; `/shop/*` is handed on to it, and it gets the webhooks. */
  shopBackend?: string | undefined;
  /** The folder of built pages. @default the one that ships */
  pagesDir?: string;
  /** The SDK's script-tag bundle. @default the one that ships */
  sdkFile?: string;
  /** Told about faults of the service itself. @default they are dropped */
  onError?: (error: unknown) => void;
}

/**
 * Checks each option of startMockServer().
 * @throws {TypeError} which names the option, what it must be, and the value
 */
export function assertServerOptions(options: MockServerOptions): void {
  assertOptions('start the server', options, OPTIONS);
}

const A_URL: Check = {
  expected: 'an http or https URL',
  holds: (value) => typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value),
};

const OPTIONS: Checks<MockServerOptions> = {
  port: {
    expected: 'an integer from 0 to 65535',
    holds: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  },
  // startServer() checks that it is an address of this machine.
  host: A_STRING,
  data: A_STRING,
  // createMockService() checks the range.
  seed: { expected: 'a number', holds: (value) => typeof value === 'number' },
  tenants: AN_ARRAY,
  forwardTo: A_URL,
  allowLoopbackWebhooks: A_BOOLEAN,
  shopBackend: A_URL,
  pagesDir: A_STRING,
  sdkFile: A_STRING,
  onError: A_FUNCTION,
};
