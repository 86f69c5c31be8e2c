import type { AccountInput } from '../api/accounts.ts';
import { parseAccounts } from '../service/seed-input.ts';
import { reasonOf } from '../store/errors.ts';
import { readJsonFile } from './json-file.ts';

/**
 * Reads the accounts that a state must have: `{ "tenants": [{ "name": …, "policy": …, "endpoints": … }] }`.
 * @throws {Error} with one message that names the file and, if accounts are invalid, the path of every
 *   problem
 */
export function readConfigFile(file: string): AccountInput[] {
  try {
    const config: unknown = readJsonFile(file);
    if (typeof config !== 'object' || config === null || Array.isArray(config))
      throw new TypeError('it must be an object with the property tenants');
    const [unknown] = Object.keys(config).filter((name) => name !== 'tenants');
    if (unknown !== undefined) throw new TypeError(`property ${unknown} should not exist`);
    return parseAccounts('tenants' in config ? config.tenants : undefined);
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new Error(`Cannot use the config file "${file}": ${reason}`, { cause });
  }
}

/**
 * Adds the file's name to an error about one of its accounts that is only found when the mock starts, such
 * as an invalid endpoint URL.
 */
export function toConfigError(file: string, error: unknown): unknown {
  const isAbout = error instanceof Error && /^tenants\[\d+\]/.test(error.message);
  if (!isAbout) return error;
  return new Error(`Cannot use the config file "${file}": ${error.message}`, { cause: error });
}
