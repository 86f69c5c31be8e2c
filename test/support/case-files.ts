import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../cases');

/** Reads a file of test/cases, which has one case on each line. */
export function readCases<Row>(name: string): Row[] {
  const lines = readFileSync(resolve(FOLDER, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}
