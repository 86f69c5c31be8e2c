import * as v from 'valibot';
import type { AccountInput } from '../api/accounts.ts';
import type { EndpointInput } from '../api/endpoints.ts';
import type { DestinationRules } from '../send/destination.ts';
import type { Sender } from '../send/sender.ts';
import type { RealClock } from '../store/clock.ts';
import { reasonOf } from '../store/errors.ts';
import { isClockTime } from '../store/instant.ts';
import type { Log } from '../store/log.ts';
import { ONE_LINE } from '../store/safe-text.ts';
import type { Mac } from './http/session-tokens.ts';
import {
  aBoolean,
  aFunction,
  anArray,
  aNumber,
  anObject,
  assertOptions,
  isOrigin,
  isPort,
  type OptionSchemas,
  withMethods,
} from './option-checks.ts';
import { type DemoTenant, parseAccounts, parseEndpoint, toTenantInput } from './seed-input.ts';

/** Options of `createMockService`, which refuses unknown ones. */
export interface ServiceOptions {
  /**
   * Storage of the state.
   * @default memory, for the lifetime of the service
   */
  log?: Log | undefined;
  /**
   * Makes ids, keys and secrets repeatable. An unsigned 32-bit integer.
   * @default the platform's randomness
   */
  seed?: number | undefined;
  /**
   * The origin at which MSW's handlers respond. The control API accepts requests to and from this origin,
   * in addition to this computer.
   * @default "https://api.ofage.example"; the handlers also respond at the address in the environment
   *   variable `OFAGE_API_BASE`
   */
  apiOrigin?: string | undefined;
  /**
   * The hosted page's URL, to which a session's id and token are appended.
   * @default "https://verify.ofage.example/"
   */
  verifyUrl?: string | undefined;
  /** The account that is created in a new state. @default no name, L1, 25 years, sandbox mode */
  tenant?: DemoTenant | undefined;
  /**
   * Accounts that the state must contain. At every start and reset, missing ones are added and existing
   * ones are updated. The first of them replaces `tenant`, except for its `id`.
   * @default none
   */
  tenants?: readonly AccountInput[] | undefined;
  /** Webhook endpoints that the first account gets when the state is created or reset. @default none */
  endpoints?: readonly EndpointInput[] | undefined;
  /**
   * The clock of a new state: `now` is its start (milliseconds or a Date; default: the real time), and
   * `frozen` stops it there.
   * @default the real time, running
   */
  clock?: { now?: Date | number | undefined; frozen?: boolean | undefined } | undefined;
  /**
   * Allows webhooks to this computer, also over http. An array allows only these origins on it, such as
   * `http://localhost:3000`. Other private addresses stay blocked.
   * @default false
   */
  allowLoopbackWebhooks?: boolean | readonly string[] | undefined;
  /**
   * The port at which this service listens on this computer. Webhooks to it are refused, because a receiver
   * could redirect them to the control API.
   * @default none, because the service itself does not listen
   */
  ownPort?: number | undefined;
  /**
   * Resolves the host names of webhook endpoints when they are configured.
   * @default names are not resolved; only the URL itself is checked
   */
  resolve?: DestinationRules['resolve'] | undefined;
  /** HMAC with SHA-256, which signs the tokens of sessions. @default Web Crypto's */
  mac?: Mac | undefined;
  /** Sends webhooks. @default the global fetch */
  sender?: Sender | undefined;
  /**
   * Interval for finding work that another tab or process left behind. Milliseconds. 0 turns it off.
   * @default 1000 if other tabs or processes can share `log`, otherwise 0
   */
  pollMs?: number | undefined;
  /** The source of real time and of timers. @default the system's */
  realClock?: RealClock | undefined;
  /** Called with internal errors of the service. @default they are ignored */
  onError?: ((error: unknown) => void) | undefined;
}

/** Checks the options when the service is created and not at its first request. */
export function assertServiceOptions(options: ServiceOptions): void {
  const action = 'create the service';
  assertOptions(options, OPTIONS, { action });
  if (options.clock) assertOptions(options.clock, CLOCK, { action, path: 'clock.' });
  const { tenant = {}, endpoints = [], tenants, seed, clock } = options;
  if (seed !== undefined && seed !== seed >>> 0) {
    throw new RangeError(`seed must be an integer from 0 to 4294967295, got ${seed}`);
  }
  if (clock?.now !== undefined && !isClockTime(Number(clock.now))) {
    throw new RangeError(
      `clock.now must be a Date or an integer number of milliseconds since the epoch, up to 1 December 9999, got ${String(clock.now)}`,
    );
  }
  try {
    toTenantInput(tenant);
    if (tenants) parseAccounts(tenants);
    endpoints.forEach((endpoint, at) => parseEndpoint(endpoint, `endpoints[${at}]`));
  } catch (cause) {
    throw new TypeError(`Cannot create the service: ${reasonOf(cause)}`, { cause });
  }
}

function isPageUrl(value: unknown): boolean {
  // Parameters are appended to the end of the URL. After a fragment, they would become part of it.
  return (
    typeof value === 'string' &&
    ONE_LINE.test(value) &&
    /^https?:\/\/[^#]+$/i.test(value) &&
    URL.canParse(value)
  );
}

const OPTIONS: OptionSchemas<ServiceOptions> = {
  log: withMethods('a log, such as the result of createIndexedDbLog()', 'commit', 'close'),
  // assertServiceOptions() checks the range.
  seed: aNumber,
  apiOrigin: v.custom(isOrigin, 'an origin such as "https://api.ofage.example"'),
  verifyUrl: v.custom(
    isPageUrl,
    'an http or https URL without a fragment, such as "https://verify.ofage.example/"',
  ),
  tenant: anObject,
  tenants: anArray,
  endpoints: anArray,
  clock: anObject,
  allowLoopbackWebhooks: v.custom(
    (value) => typeof value === 'boolean' || (Array.isArray(value) && value.every(isOrigin)),
    'true, false or an array of origins such as "http://localhost:3000"',
  ),
  ownPort: v.custom(isPort, 'an integer from 0 to 65535'),
  resolve: aFunction,
  mac: aFunction,
  sender: withMethods('an object with a method send()', 'send'),
  pollMs: v.custom(
    (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    'an integer of 0 or more',
  ),
  realClock: withMethods('an object with the methods now() and wakeAt()', 'now', 'wakeAt'),
  onError: aFunction,
};

const CLOCK: OptionSchemas<NonNullable<ServiceOptions['clock']>> = {
  // assertServiceOptions() checks the range.
  now: v.custom(
    (value) => typeof value === 'number' || value instanceof Date,
    'a Date or milliseconds since the epoch',
  ),
  frozen: aBoolean,
};
