import * as v from 'valibot';
import type { AccountInput, TenantInput } from '../api/accounts.ts';
import type { EndpointInput } from '../api/endpoints.ts';
import { MAX_ENDPOINTS, type NewEndpoint } from '../rules/endpoints.ts';
import type { AccountSeed, DemoSeed } from '../rules/first-accounts.ts';
import type { Destination } from '../send/destination.ts';
import { isRecord } from '../store/checks.ts';
import { reasonOf, ServiceError } from '../store/errors.ts';
import { tenantInput } from './operations/accounts.ts';
import { endpointInput, toNewEndpoint } from './operations/endpoints.ts';
import { KEY_CHARACTERS, KEY_FORM } from '../store/safe-text.ts';
import { inOneLine, requiredLine } from './schemas/fields.ts';
import { parseInput } from './schemas/parse-input.ts';

/** The account that is created in a new state. */
export interface DemoTenant extends TenantInput {
  /** @default a new UUID */
  id?: string;
  /** The publishable key, for an application that must know its keys in advance. @default random */
  publishableKey?: string;
  /** The secret key, for the same purpose. @default random */
  secretKey?: string;
}

/** The options that describe the accounts of the state; see ServiceOptions. */
interface SeedInput {
  readonly tenant?: DemoTenant | undefined;
  readonly endpoints?: readonly EndpointInput[] | undefined;
  readonly tenants?: readonly AccountInput[] | undefined;
}

const demoTenantInput = v.object({
  ...tenantInput.entries,
  id: v.optional(
    v.pipe(v.string('id must be a string'), v.nonEmpty('id should not be empty'), inOneLine('id')),
  ),
  publishableKey: v.optional(keyText('publishableKey', 'pk_', 'pk_x'.length)),
  secretKey: v.optional(keyText('secretKey', 'sk_', 'sk_x'.length)),
});

function keyText(name: string, prefix: string, minLength: number) {
  const message = `${name} must be a string of ${minLength} to 200 characters that starts with ${prefix}: ${KEY_CHARACTERS}`;
  return v.pipe(
    v.string(message),
    v.regex(KEY_FORM, message),
    v.startsWith(prefix, message),
    v.minLength(minLength, message),
  );
}

export function toTenantInput(tenant: DemoTenant): TenantInput {
  const {
    id: _id,
    publishableKey: _publishable,
    secretKey: _secret,
    ...change
  } = parseInput(demoTenantInput, tenant);
  return change;
}

/** Converts the accounts of the options to a seed, after validating the URLs of their endpoints. */
export async function toSeed(
  { tenant = {}, endpoints = [], tenants = [] }: SeedInput,
  resolveDestination: ResolveDestination,
): Promise<DemoSeed> {
  const accounts = await Promise.all(
    tenants.map((account, index) =>
      toAccountSeed(account, `tenants[${index}]`, resolveDestination),
    ),
  );
  const added = endpoints.map((endpoint, at) =>
    parseNewEndpoint(endpoint, `endpoints[${at}]`, resolveDestination),
  );
  const [first] = accounts;
  return {
    ...(first ?? toTenantInput(tenant)),
    id: tenant.id,
    publishableKey: first ? first.publishableKey : tenant.publishableKey,
    secretKey: first ? first.secretKey : tenant.secretKey,
    endpoints: [...(first?.endpoints ?? []), ...(await Promise.all(added))],
    accounts,
  };
}

type ResolveDestination = (url: string) => Promise<Destination>;

async function parseNewEndpoint(
  input: EndpointInput,
  path: string,
  resolveDestination: ResolveDestination,
): Promise<NewEndpoint> {
  const endpoint = parseEndpoint(input, path);
  return toNewEndpoint(endpoint, resolveDestination).catch((cause: unknown) => {
    throw withPath(path, cause);
  });
}

export function parseEndpoint(input: EndpointInput, path: string) {
  try {
    return parseInput(endpointInput, input);
  } catch (cause) {
    throw withPath(path, cause);
  }
}

function withPath(path: string, cause: unknown): TypeError {
  return new TypeError(`${path}: ${reasonOf(cause)}`, { cause });
}

async function toAccountSeed(
  { name, publishableKey, secretKey, endpoints, ...change }: AccountInput,
  path: string,
  resolveDestination: ResolveDestination,
): Promise<AccountSeed> {
  const parsed = await Promise.all(
    (endpoints ?? []).map((endpoint, at) =>
      parseNewEndpoint(endpoint, `${path}.endpoints[${at}]`, resolveDestination),
    ),
  );
  // Endpoints are identified by their normalised URL.
  const urls = parsed.map(({ url }) => url);
  const repeated = urls.findIndex((url, at) => urls.indexOf(url) < at);
  if (repeated >= 0) {
    throw new TypeError(
      `${path}.endpoints[${repeated}]: url is already used by another endpoint of the account`,
    );
  }
  return {
    ...parseInput(tenantInput, change),
    name,
    publishableKey: publishableKey ?? undefined,
    secretKey: secretKey ?? undefined,
    endpoints: parsed,
  };
}

/** Shortest key of an account in a file. */
const MIN_KEY_LENGTH = 8;

const accountInput = v.object({
  ...tenantInput.entries,
  name: requiredLine('name'),
  publishableKey: v.nullish(keyText('publishableKey', 'pk_', MIN_KEY_LENGTH)),
  secretKey: v.nullish(keyText('secretKey', 'sk_', MIN_KEY_LENGTH)),
  endpoints: v.nullish(
    v.pipe(
      v.array(v.unknown(), 'endpoints must be an array'),
      v.maxLength(MAX_ENDPOINTS, `endpoints must contain no more than ${MAX_ENDPOINTS} elements`),
    ),
  ),
});

/** `pairId` is left out, because key pairs have no ids before the state exists. */
const accountEndpointInput = v.omit(endpointInput, ['pairId']);

/**
 * Checks accounts that a person wrote, in options or in a configuration file.
 * @throws {TypeError} with all problems, each with its path: `tenants[0].endpoints[1]: …`
 */
export function parseAccounts(input: unknown): AccountInput[] {
  if (!Array.isArray(input) || input.length === 0)
    throw new TypeError('tenants must be an array with at least one account');
  const problems: string[] = [];
  const accounts = input.flatMap((tenant: unknown, index) => {
    const path = `tenants[${index}]`;
    const account = collect(problems, path, () => parseInput(accountInput, tenant));
    // Endpoints are checked even if the account itself is invalid, so that all problems are reported at
    // once.
    endpointsOf(tenant).forEach((endpoint, at) =>
      collect(problems, `${path}.endpoints[${at}]`, () =>
        parseInput(accountEndpointInput, endpoint),
      ),
    );
    // The cast is safe, because the schemas match the type and the endpoints are checked one by one.
    return account ? [account as AccountInput] : [];
  });
  for (const field of ['name', 'publishableKey', 'secretKey'] as const)
    problems.push(...findRepeated(accounts, field));
  if (problems.length > 0) throw new TypeError(problems.join('; '));
  return accounts;
}

function endpointsOf(tenant: unknown): readonly unknown[] {
  return isRecord(tenant) && Array.isArray(tenant['endpoints']) ? tenant['endpoints'] : [];
}

function collect<T>(problems: string[], path: string, parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const sentences = error.details ?? ['it must be an object'];
    problems.push(...sentences.map((text) => `${path}: ${text}`));
    return undefined;
  }
}

function findRepeated(
  accounts: readonly AccountInput[],
  field: 'name' | 'publishableKey' | 'secretKey',
): string[] {
  const seen = new Set<string>();
  return accounts.flatMap((account, index) => {
    const value = account[field];
    if (value == null) return [];
    if (seen.has(value)) return [`tenants[${index}]: ${field} is already used by another account`];
    seen.add(value);
    return [];
  });
}
