import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const OWN_FOLDER = resolve(import.meta.dirname, '../cases');
/** A folder with more cases, which is not part of the project and is often absent. */
const SHARED_FOLDER = resolve(import.meta.dirname, '../../../shared/cases');

/** The rows of one case file, with the folder that they come from. */
export interface CaseSet<Row> {
  from: 'test/cases' | '../shared/cases';
  rows: Row[];
}

/**
 * Reads the cases with this name: the project's own from test/cases, and those of ../shared/cases if that
 * folder exists. Prints a note if it does not exist.
 */
export function readCaseSets<Row>(name: string): CaseSet<Row>[] {
  const own: CaseSet<Row> = { from: 'test/cases', rows: readOwnCases(name) };
  const shared = readSharedCases<Row[] | { vectors: Row[] }>(name);
  if (!shared) return [own];
  return [own, { from: '../shared/cases', rows: 'vectors' in shared ? shared.vectors : shared }];
}

/** Reads a file of test/cases, which has one case on each line. */
export function readOwnCases<Row>(name: string): Row[] {
  const lines = readFileSync(resolve(OWN_FOLDER, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}

/** Reads a file of ../shared/cases. Returns null and prints a note if that folder does not exist. */
export function readSharedCases<T>(name: string): T | null {
  const file = resolve(SHARED_FOLDER, `${name}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as T;
  console.info(`${name}: only the cases of test/cases run, because ../shared/cases does not exist`);
  return null;
}
