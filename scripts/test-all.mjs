// npm run test:all: runs a slice of the whole matrix, which parts.mjs lists.
//   npm run test:all                          today's slice, of at most 40 minutes
//   npm run test:all -- --seed 20261123       the slice of that seed, or of that day
//   npm run test:all -- --full                everything, without a limit
//   npm run test:all -- --only windows-firefox   the named parts
//   npm run test:all -- --list                prints what it would run
import { parseArgs } from 'node:util';
import { PARTS, chooseSlice, readSeed } from './parts.mjs';
import { runSteps } from './run-steps.mjs';
import { STEPS, chooseSteps, toNames } from './steps.mjs';

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}

async function main(args) {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string' },
      full: { type: 'boolean', default: false },
      only: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  });
  // The parts run in other processes, which read the seed too.
  process.env.SEED = values.seed ?? process.env.SEED ?? '';
  process.env.SEED = String(readSeed());
  const names = chooseNames(values);
  describe(names, values);
  if (values.list) return 0;
  return runSteps(chooseSteps([...STEPS, ...PARTS], { only: names }));
}

function chooseNames({ full, only }) {
  if (only !== undefined) return toNames(only);
  const parts = full ? PARTS : chooseSlice(PARTS, { seed: readSeed() });
  return parts.map(({ name }) => name);
}

/** Prints the parts, and the command that runs the same ones again. */
function describe(names, { full, only }) {
  const parts = PARTS.filter(({ name }) => names.includes(name));
  const minutes = parts.reduce((sum, part) => sum + part.minutes, 0);
  const choice = only === undefined ? (full ? '--full ' : '') : `--only ${only} `;
  console.log(`${parts.length} of ${PARTS.length} parts, about ${minutes} minutes`);
  for (const part of parts) console.log(`  ${part.name}, ${part.minutes} min`);
  console.log(`To repeat this run: npm run test:all -- ${choice}--seed ${process.env.SEED}`);
}
