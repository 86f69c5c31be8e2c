import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../../shared/cases/', import.meta.url);

/**
 * Reads a case file that lies beside the project. It is null where that folder is absent, which is said
 * once, so that a skipped suite is seen.
 */
export function readCaseFile<T>(name: string): T | null {
  const path = fileURLToPath(new URL(name, FOLDER));
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T;
  console.warn(`Skipped the cases of ${name}: there is no ../shared/cases beside the project`);
  return null;
}
