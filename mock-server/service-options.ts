import * as v from 'valibot';
import type { AccountInput, EndpointInput, TenantInput } from './control/input-types.ts';
import { isInstant, type RealClock } from './core/clock.ts';
import type { Log } from './core/log.ts';
import type { Destination, DestinationPolicy } from './delivery/destination.ts';
import type { Sender } from './delivery/sender.ts';
import type { Mac } from './http/session-tokens.ts';
import { parseAccounts } from './operations/account-inputs.ts';
import { toNewEndpoint } from './operations/endpoints.ts';
import { endpointInput, tenantInput } from './operations/inputs.ts';
import { checkOptions } from './option-checks.ts';
import type { AccountSeed } from './rules/accounts.ts';
import type { DemoSeed } from './rules/demo.ts';
import type { NewEndpoint } from './rules/endpoints.ts';
import { parseInput } from './rules/parse-input.ts';
import type { TenantChange } from './rules/tenants.ts';

/** The account that a new state begins with. */
export interface DemoTenant extends TenantInput {
  /** @default a new UUID */
  id?: string;
  /** The key pair's values, for an application that wants to know them beforehand. @default random */
  publishableKey?: string;
  secretKey?: string;
}

export interface ServiceOptions {
  /**
   * Where state lasts.
   * @default memory: as long as the service
   */
  log?: Log;
  /**
   * Makes ids, keys and secrets repeatable. An unsigned 32-bit integer.
   * @default the platform's randomness
   */
  seed?: number;
  /**
   * The origin at which MSW's handlers answer, and from which the control surface may be reached.
   * @default "https://api.ofage.example"
   */
  apiOrigin?: string;
  /**
   * The hosted page, to which a session's id and token are appended.
   * @default "https://verify.ofage.example/"
   */
  verifyUrl?: string;
  /** The account that a new state begins with. @default "Demo shop", L1, 25 years, sandbox mode */
  tenant?: DemoTenant;
  /**
   * Accounts that the state must have: what is missing is added, and what is there brought in line, at every
   * start and reset. The first of them takes the place of `tenant`.
   * @default none
   */
  tenants?: readonly AccountInput[];
  /** Webhook endpoints of the first account. @default none */
  endpoints?: readonly EndpointInput[];
  /**
   * Where a new state's clock begins: at `now` (milliseconds or a Date; the real time when left out), and
   * whether it stands still there.
   * @default the real time, running
   */
  clock?: { now?: Date | number; frozen?: boolean };
  /**
   * Lets webhooks go to this computer, over http too, or to some origins there alone, such as
   * `http://localhost:3000`. Nothing else that is not public is opened.
   * @default false
   */
  allowLoopbackWebhooks?: boolean | readonly string[];
  /**
   * Resolves the host names of webhook endpoints when they are configured.
   * @default names are judged by their spelling alone
   */
  resolve?: DestinationPolicy['resolve'];
  /** HMAC with SHA-256, which signs the tokens of sessions. @default Web Crypto's */
  mac?: Mac;
  /** Sends webhooks. @default through the global fetch */
  sender?: Sender;
  /**
   * How often to look for work that another tab or process left behind. Milliseconds; 0 is never, and says
   * that no other process or tab shares the log: what was under way at a crash is then taken back at once.
   * @default 1000 with a log, 0 without
   */
  pollMs?: number;
  /** Real time. @default the system's */
  realClock?: RealClock;
  /** Told about faults of the service itself. @default they are dropped */
  onError?: (error: unknown) => void;
}

/** What a developer got wrong is said at once, and not by the first request. */
export function assertOptions(options: ServiceOptions): void {
  checkOptions(options);
  const { tenant = {}, endpoints = [], tenants, seed, clock } = options;
  if (seed !== undefined && seed !== seed >>> 0) {
    throw new RangeError(`seed must be an integer from 0 to 4294967295, got ${seed}`);
  }
  if (clock?.now !== undefined && !isInstant(Number(clock.now))) {
    throw new RangeError(
      `clock.now must be a Date or milliseconds since the epoch, up to the end of the year 9999, got ${String(clock.now)}`,
    );
  }
  try {
    toTenantChange(tenant);
    if (tenants) parseAccounts(tenants);
    for (const endpoint of endpoints) parseInput(endpointInput, endpoint);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`Cannot create the service: ${reason}`, { cause });
  }
}

const demoTenantInput = v.object({
  ...tenantInput.entries,
  id: v.optional(v.pipe(v.string('id must be a string'), v.nonEmpty('id should not be empty'))),
  publishableKey: demoKey('publishableKey', /^pk_\S+$/, 'pk_'),
  secretKey: demoKey('secretKey', /^sk_\S+$/, 'sk_'),
});

function demoKey(name: string, form: RegExp, prefix: string) {
  const message = `${name} must be a text that begins with ${prefix}`;
  return v.optional(v.pipe(v.string(message), v.regex(form, message)));
}

function toTenantChange(tenant: DemoTenant): TenantChange {
  const {
    id: _id,
    publishableKey: _publishable,
    secretKey: _secret,
    ...change
  } = parseInput(demoTenantInput, tenant);
  return change;
}

/** The accounts as rules take them, once their endpoints' addresses have been judged. */
export async function toSeed(
  { tenant = {}, endpoints = [], tenants = [] }: ServiceOptions,
  judgeDestination: Judge,
): Promise<DemoSeed> {
  const accounts = await Promise.all(
    tenants.map((account, index) => toAccountSeed(account, `tenants[${index}]`, judgeDestination)),
  );
  const added = endpoints.map((endpoint) => parseNewEndpoint(endpoint, judgeDestination));
  const [first] = accounts;
  return {
    ...(first ?? toTenantChange(tenant)),
    id: tenant.id,
    publishableKey: first ? first.publishableKey : tenant.publishableKey,
    secretKey: first ? first.secretKey : tenant.secretKey,
    endpoints: [...(first?.endpoints ?? []), ...(await Promise.all(added))],
    accounts,
  };
}

type Judge = (url: string) => Promise<Destination>;

async function parseNewEndpoint(
  input: EndpointInput,
  judgeDestination: Judge,
): Promise<NewEndpoint> {
  return toNewEndpoint(parseInput(endpointInput, input), judgeDestination);
}

async function toAccountSeed(
  { name, publishableKey, secretKey, endpoints, ...change }: AccountInput,
  path: string,
  judgeDestination: Judge,
): Promise<AccountSeed> {
  const judged = await Promise.all(
    (endpoints ?? []).map((endpoint, at) =>
      parseNewEndpoint(endpoint, judgeDestination).catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new TypeError(`${path}.endpoints[${at}]: ${reason}`, { cause });
      }),
    ),
  );
  // An endpoint is found again by its address, as it is written once it has been judged.
  const urls = judged.map(({ url }) => url);
  const repeated = urls.findIndex((url, at) => urls.indexOf(url) < at);
  if (repeated >= 0) {
    throw new TypeError(
      `${path}.endpoints[${repeated}]: url must not be that of another endpoint of the account`,
    );
  }
  return {
    ...parseInput(tenantInput, change),
    name,
    publishableKey: publishableKey ?? undefined,
    secretKey: secretKey ?? undefined,
    endpoints: judged,
  };
}
