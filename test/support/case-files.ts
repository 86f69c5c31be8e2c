import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../../shared/cases/', import.meta.url);

/**
 * Reads a case file from the folder outside of the project. Returns null and prints a warning if that
 * folder is absent, so that the skipped suite is visible.
 */
export function readCaseFile<T>(name: string): T | null {
  const path = fileURLToPath(new URL(name, FOLDER));
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as T;
  console.warn(`Skipped the cases of ${name}: there is no ../shared/cases beside the project`);
  return null;
}
