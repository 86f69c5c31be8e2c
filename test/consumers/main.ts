/**
 * Runs the cells whose names contain one of the arguments, or all, and prints a table in Markdown.
 *   npm run consumers
 *   npm run consumers -- Jest Vite
 */
import { CELLS } from './cells.ts';
import type { Cell } from './cell.ts';

const words = process.argv.slice(2);
const isWanted = ({ name }: Cell): boolean =>
  words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase()));

const failures: string[] = [];
console.log('| tool | result |\n| --- | --- |');
for (const cell of CELLS.filter(isWanted)) {
  console.log(`| ${cell.name} | ${await resultOf(cell)} |`);
}
for (const failure of failures) console.error(`\n${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

async function resultOf({ name, skip, run }: Cell): Promise<string> {
  const reason = skip?.();
  if (reason !== undefined) return `not run: ${reason}`;
  try {
    await run();
    return 'works';
  } catch (error) {
    failures.push(`FAILED  ${name}\n${error instanceof Error ? error.message : String(error)}`);
    return 'fails';
  }
}
