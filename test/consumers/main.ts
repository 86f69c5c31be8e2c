/**
 * Runs the cells whose names contain one of the arguments, or all, and prints a table in Markdown.
 *   npm run consumers
 *   npm run consumers -- Jest Vite
 */
import { join } from 'node:path';
import { CELLS } from './cells.ts';
import { runCell, type Cell } from './cell.ts';
import { NIGHTLY } from './customer.ts';

/** The installation script, which has no types. */
const { installAll, installTools } = (await import(
  join(NIGHTLY, '../../../scripts/install.mjs')
)) as Record<'installAll' | 'installTools', (folder?: string) => Promise<number>>;

const words = process.argv.slice(2);
for (const word of words) if (!CELLS.some((cell) => isNamed(cell, word))) refuse(word);
if ((await installAll()) !== 0) process.exit(1);

const cells = CELLS.filter(
  (cell) => words.length === 0 || words.some((word) => isNamed(cell, word)),
);
const broken = await installProjects(cells);
const failures: string[] = [];
const rows: string[] = [];
for (const cell of cells) {
  const startedAtMs = performance.now();
  const result = await resultOf(cell);
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  console.error(`${cell.name}: ${result} (${seconds} s)`);
  rows.push(`| ${cell.name} | ${result} |`);
}
console.log(['| tool | result |', '| --- | --- |', ...rows].join('\n'));
for (const failure of failures) console.error(`\n${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

function isNamed({ name }: Cell, word: string): boolean {
  return word !== '' && name.toLowerCase().includes(word.toLowerCase());
}

function refuse(word: string): never {
  console.error(
    `No cell has "${word}" in its name; they are: ${CELLS.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

/** Installs the projects of the cells. Returns the names of those that could not be installed. */
async function installProjects(wanted: readonly Cell[]): Promise<Set<string>> {
  const failed = new Set<string>();
  for (const project of new Set(wanted.flatMap((cell) => cell.project ?? []))) {
    if ((await installTools(join(NIGHTLY, project))) !== 0) failed.add(project);
  }
  return failed;
}

async function resultOf(cell: Cell): Promise<string> {
  const { name, project, skip } = cell;
  const reason =
    project !== undefined && broken.has(project)
      ? `the packages of nightly/${project} cannot be installed`
      : skip?.();
  if (reason !== undefined) return `not run: ${reason}`;
  try {
    return await runCell(cell);
  } catch (error) {
    failures.push(`FAILED  ${name}\n${error instanceof Error ? error.message : String(error)}`);
    return 'fails';
  }
}
