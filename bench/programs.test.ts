/** Runs the programs of the benchmarks with little work, because the suite does not run the benchmarks. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const execute = promisify(execFile);

it.each([
  ['sessions/life.ts', ['200', '1000']],
  ['service/in-process.ts', ['creation']],
  ['webhooks/queue.ts', ['1000']],
  ['webhooks/day.ts', ['1']],
])('the benchmark program %s prints figures, and each is above zero', async (program, args) => {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const { stdout } = await execute(process.execPath, ['--expose-gc', path, ...args]);
  const figures = Object.values(JSON.parse(stdout) as Record<string, number>);
  expect(figures.length).toBeGreaterThan(0);
  for (const figure of figures) expect(figure).toBeGreaterThan(0);
});
