import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountInput } from '../api/accounts.ts';
import { isDatabaseUrl } from '../hosts/node-data.ts';
import { parseAccounts } from '../service/seed-input.ts';
import { createMockService } from '../service/service.ts';
import { isRecord } from '../store/checks.ts';
import { reasonOf } from '../store/errors.ts';
import { hasSqlite } from '../store/logs/sqlite.ts';
import type { StartOptions } from './start-options.ts';

// The files that `start` uses, beside the `.env` file.

/**
 * Reads the accounts that a state must have: `{ "tenants": [{ "name": …, "policy": …, "endpoints": … }] }`.
 * @throws {Error} with one message that names the file and, if accounts are invalid, the path of every
 *   problem
 */
export function readConfigFile(file: string): AccountInput[] {
  try {
    const config: unknown = readJsonFile(file);
    if (!isRecord(config)) throw new TypeError('it must be an object with the property tenants');
    const [unknown] = Object.keys(config).filter((name) => name !== 'tenants');
    if (unknown !== undefined) throw new TypeError(`property ${unknown} should not exist`);
    return parseAccounts(config['tenants']);
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

/**
 * Reads the snapshot that a new state begins with, and checks that it can be loaded.
 * @param data The file or database of the state. Undefined if it is in memory.
 * @throws {Error} with a readable message if the snapshot is invalid, or if a state exists, which the
 *   snapshot would replace
 */
export async function readSnapshotFile(file: string, data: string | undefined): Promise<object> {
  try {
    if (data !== undefined) assertNoState(data);
    const snapshot = readJsonFile(file);
    await assertLoadable(snapshot);
    // The cast is safe, because only an object can be loaded.
    return snapshot as object;
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new Error(`Cannot start with the snapshot "${file}": ${reason}`, { cause });
  }
}

function assertNoState(data: string): void {
  if (isDatabaseUrl(data))
    throw new Error(
      'other servers may share the state of a database; start without --snapshot, and load the file in the console',
    );
  if (existsSync(data))
    throw new Error(
      `the data file "${data}" has a state already; use --ephemeral, or --data with a new file`,
    );
}

/** Loads the snapshot in memory first, because a failure later would leave a new data file behind. */
async function assertLoadable(snapshot: unknown): Promise<void> {
  const service = createMockService();
  try {
    await service.control.loadSnapshot(snapshot);
  } finally {
    await service.close();
  }
}

/** The default folder for state, relative to the working directory. */
const FOLDER = '.ofage';

/**
 * Returns the file or database that stores the state, and creates the default folder for the default file.
 * @returns undefined if the state is kept in memory, because it was requested or Node has no SQLite for the
 *   default file
 * @throws {Error} with a readable message if the folder cannot be created
 */
export function resolveDataFile(data: StartOptions['data'], cwd: string): string | undefined {
  switch (data.kind) {
    case 'memory':
      return undefined;
    case 'file':
      return data.path;
    case 'database':
      return data.url;
    case 'default':
      if (!hasSqlite()) return undefined;
      makeFolder(join(cwd, FOLDER));
      return join(FOLDER, 'mock.sqlite');
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
    closeToOthers(folder);
    // The file contains keys and user ids, so it must not be committed.
    const ignore = join(folder, '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new Error(
      `Cannot create the folder "${folder}": ${reason}; use a file with --data, or keep state in memory with --ephemeral`,
      { cause },
    );
  }
}

/** Other users must not list or replace the files, which have keys and user ids. */
const OWNER_ONLY = 0o700;

/** Changes the mode of a folder that an earlier version has created for everyone. */
function closeToOthers(folder: string): void {
  try {
    chmodSync(folder, OWNER_ONLY);
  } catch {
    // Some file systems have no modes, and the folder may belong to another user who shares it. The data
    // file has a mode of its own.
  }
}

/**
 * Reads and parses a JSON file.
 * @throws {Error} with a message that does not name the file, because the caller names it
 */
export function readJsonFile(file: string): unknown {
  return parseJson(readText(file));
}

function readText(file: string): string {
  try {
    // Some editors begin a file with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw new Error(
      code === 'ENOENT'
        ? 'the file does not exist'
        : `it cannot be read (${code ?? String(cause)})`,
      { cause },
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const place = /\(line \d+ column \d+\)/.exec(String(cause))?.[0];
    throw new Error(`it is not JSON${place === undefined ? '' : ` ${place}`}`, { cause });
  }
}
