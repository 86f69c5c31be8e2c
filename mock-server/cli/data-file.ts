import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartOptions } from './arguments.ts';
import { reasonOf } from '../core/reason-of.ts';

/** The usual folder for state, in the project that the command was started in. */
const FOLDER = '.ofage';

/**
 * Finds the file or the database that state is kept in, and makes the usual folder for the usual file.
 * @returns undefined when nothing is kept
 * @throws {Error} with a sentence when the folder cannot be made
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
      `Cannot make the folder "${folder}": ${reason}; name a file with --data, or keep state in memory with --ephemeral`,
      { cause },
    );
  }
}
