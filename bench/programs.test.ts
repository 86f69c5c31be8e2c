/** Runs the programs of the benchmarks with little work, because the suite does not run the benchmarks. */
import { expect, it } from 'vitest';
import { runProgram } from './program.ts';

it.each([
  ['sessions/life', ['200', '1000']],
  ['service/in-process', ['creation']],
  ['webhooks/queue', ['1000']],
  ['webhooks/day', ['1']],
])('the benchmark program %s prints figures, and each is above zero', async (program, args) => {
  const options = { nodeOptions: ['--expose-gc'] };
  const figures = Object.values(await runProgram<Record<string, number>>(program, args, options));
  expect(figures.length).toBeGreaterThan(0);
  for (const figure of figures) expect(figure).toBeGreaterThan(0);
});
