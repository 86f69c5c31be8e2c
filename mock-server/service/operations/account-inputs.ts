import * as v from 'valibot';
import type { AccountInput } from '../../api/accounts.ts';
import { MAX_ENDPOINTS } from '../../rules/endpoints.ts';
import { ServiceError } from '../../store/errors.ts';
import { requiredText } from '../input/fields.ts';
import { parseInput } from '../input/parse-input.ts';
import { endpointInput, tenantInput } from './inputs.ts';

const keyText = (name: string, prefix: string) => {
  const message = `${name} must be a string of 8 to 200 characters without spaces that starts with ${prefix}`;
  return v.nullish(
    v.pipe(
      v.string(message),
      v.check((text) => text.startsWith(prefix) && /^\S{8,200}$/.test(text), message),
    ),
  );
};

const accountInput = v.object({
  ...tenantInput.entries,
  name: requiredText('name'),
  publishableKey: keyText('publishableKey', 'pk_'),
  secretKey: keyText('secretKey', 'sk_'),
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
  const isObject = typeof tenant === 'object' && tenant !== null && 'endpoints' in tenant;
  return isObject && Array.isArray(tenant.endpoints) ? tenant.endpoints : [];
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
