import * as v from 'valibot';
import type { AccountInput, TenantInput } from '../api/accounts.ts';
import type { EndpointInput } from '../api/endpoints.ts';
import type { NewEndpoint } from '../rules/endpoints.ts';
import type { AccountSeed, DemoSeed } from '../rules/first-accounts.ts';
import type { TenantChange } from '../rules/tenants.ts';
import type { Destination } from '../send/destination.ts';
import { reasonOf } from '../store/errors.ts';
import { parseInput } from './input/parse-input.ts';
import { toNewEndpoint } from './operations/endpoints.ts';
import { endpointInput, tenantInput } from './operations/inputs.ts';

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
  id: v.optional(v.pipe(v.string('id must be a string'), v.nonEmpty('id should not be empty'))),
  publishableKey: demoKey('publishableKey', /^pk_\S+$/, 'pk_'),
  secretKey: demoKey('secretKey', /^sk_\S+$/, 'sk_'),
});

function demoKey(name: string, form: RegExp, prefix: string) {
  const message = `${name} must be a string without spaces that starts with ${prefix}`;
  return v.optional(v.pipe(v.string(message), v.regex(form, message)));
}

export function toTenantChange(tenant: DemoTenant): TenantChange {
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
    ...(first ?? toTenantChange(tenant)),
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
