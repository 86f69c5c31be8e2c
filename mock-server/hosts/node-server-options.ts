import * as v from 'valibot';
import type { AccountInput } from '../api/accounts.ts';
import {
  aBoolean,
  aFunction,
  anArray,
  aNumber,
  assertOptions,
  aString,
  isPort,
  type OptionSchemas,
} from '../service/option-checks.ts';

/** Options of `startMockServer`. */
export interface MockServerOptions {
  /**
   * Port to listen on, 0 to 65535. 0 chooses a free port.
   * @default 4010
   */
  port?: number;
  /**
   * Loopback address to listen on. Other machines must not reach the server, because it shows every secret.
   * @default '127.0.0.1'
   */
  host?: string;
  /**
   * Persistent storage for the state, which survives `kill -9`. Either a file in an existing folder, which
   * needs Node 22.13 or newer, or a PostgreSQL database as `postgres://user:password@host:port/database`,
   * which needs the package `pg`. Any number of servers may share a database.
   * @default undefined, which keeps state in memory
   */
  data?: string | undefined;
  /**
   * Makes ids, keys and secrets repeatable. An unsigned 32-bit integer.
   * @default undefined, which makes them random
   */
  seed?: number | undefined;
  /**
   * Accounts that the state must contain, with their keys and webhook endpoints. Existing accounts are
   * updated. The returned server describes the first of them.
   * @default undefined, which adds one account without a name to a new state
   */
  tenants?: readonly AccountInput[] | undefined;
  /** Also sends every webhook of the first account to this address, which may be on this machine. */
  forwardTo?: string | undefined;
  /**
   * Allows webhook endpoints on this machine, also over http. A `forwardTo` on this machine implies it.
   * `shopBackend` allows only its own origin.
   * @default false
   */
  allowLoopbackWebhooks?: boolean;
  /**
   * The address of the demo shop's own server. It receives forwarded `/shop/*` requests and the webhooks.
   */
  shopBackend?: string | undefined;
  /**
   * Port of a second listener on this computer, 1 to 65535, for a tunnel or a TLS proxy of your choice. It
   * has the API and the hosted page only, so that a phone can open the link of a QR code. Needs `publicUrl`.
   * Keys that other people may know are refused: a seed, a given secret key, a snapshot with secrets.
   * @default undefined, which opens none
   */
  publicPort?: number | undefined;
  /**
   * The address of that tunnel, such as `https://my-mock.example`. The links of sessions lead to it.
   */
  publicUrl?: string | undefined;
  /** The folder of built pages. @default the folder in the package */
  pagesDir?: string;
  /** The SDK's script-tag bundle. @default the file in the package */
  sdkFile?: string;
  /**
   * The folder of the documentation's site. If it does not exist, `/docs/` links to the published site.
   * @default the site beside the package's build, if it was built
   */
  docsDir?: string;
  /** Called with internal errors of the service. @default they are ignored */
  onError?: (error: unknown) => void;
}

/**
 * Checks each option of startMockServer().
 * @throws {TypeError} with a message that names the option, if it is unknown or invalid
 */
export function assertServerOptions(options: MockServerOptions): void {
  assertOptions(options, OPTIONS, { action: 'start the server' });
}

const aUrl = v.custom(
  (value) => typeof value === 'string' && /^https?:/i.test(value) && URL.canParse(value),
  'an http or https URL',
);

const OPTIONS: OptionSchemas<MockServerOptions> = {
  port: v.custom(isPort, 'an integer from 0 to 65535'),
  // startServer() checks that it is a loopback address.
  host: aString,
  data: aString,
  // createMockService() checks the range.
  seed: aNumber,
  tenants: anArray,
  forwardTo: aUrl,
  allowLoopbackWebhooks: aBoolean,
  shopBackend: aUrl,
  publicPort: v.custom((value) => isPort(value) && value !== 0, 'an integer from 1 to 65535'),
  // createDoor() checks the address.
  publicUrl: aString,
  pagesDir: aString,
  sdkFile: aString,
  docsDir: aString,
  onError: aFunction,
};
