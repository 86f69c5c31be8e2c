import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../store/errors.ts';
import { hasSqlite } from '../store/logs/sqlite.ts';
import type { StartOptions } from './arguments.ts';

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
    mkdirSync(folder, { recursive: true });
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
