// npm test: runs every step of steps.mjs.
//   node scripts/test.mjs                              everything
//   node scripts/test.mjs --skip browsers,e2e          all but the browsers (npm run check)
//   node scripts/test.mjs --only unit -- test/server   one step, with further arguments for its tool
// npm run test:all: runs a slice of the whole matrix, which parts.mjs lists.
//   npm run test:all                          today's slice, of at most 40 minutes
//   npm run test:all -- --seed 20261123       the slice of that seed, or of that day
//   npm run test:all -- --full                everything, without a limit
//   npm run test:all -- --only windows-firefox   the named parts
//   npm run test:all -- --list                prints what it would run
import { parseArgs } from 'node:util';
import { PARTS, chooseSlice, readSeed } from './parts.mjs';
import { runSteps } from './run-steps.mjs';
import { STEPS, assertKnown, chooseSteps } from './steps.mjs';

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}

async function main(args) {
  const isAll = args[0] === '--all';
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const { values, positionals } = parseArgs({
    args: isAll ? args.slice(1) : args,
    options: isAll
      ? { only: text, seed: text, full: flag, list: flag }
      : { only: text, skip: text },
    allowPositionals: !isAll,
  });
  if (isAll) return runSlice(values);
  const only = toNames(values.only);
  if (positionals.length > 0 && only?.length !== 1)
    throw new RangeError('Further arguments go to one step: choose it with --only');
  return runSteps(chooseSteps(STEPS, { only, skip: toNames(values.skip) }), positionals);
}

async function runSlice({ only, seed, full, list }) {
  // The parts run in other processes, which read the seed too.
  process.env.SEED = seed ?? process.env.SEED ?? '';
  process.env.SEED = String(readSeed());
  const chosen = full ? PARTS : chooseSlice(PARTS, { seed: readSeed() });
  const names = toNames(only) ?? chosen.map(({ name }) => name);
  assertKnown(
    'part',
    PARTS.map(({ name }) => name),
    names,
  );
  const parts = PARTS.filter(({ name }) => names.includes(name));
  const minutes = parts.reduce((sum, part) => sum + part.minutes, 0);
  console.log(`${parts.length} of ${PARTS.length} parts, about ${minutes} minutes`);
  for (const part of parts) console.log(`  ${part.name}, ${part.minutes} min`);
  const choice = full ? '--full ' : '';
  const option = only === undefined ? choice : `--only ${only} `;
  console.log(`To repeat this run: npm run test:all -- ${option}--seed ${process.env.SEED}`);
  return list ? 0 : runSteps(chooseSteps([...STEPS, ...PARTS], { only: names }));
}

/** Splits a list of names that is separated by commas. Returns undefined if there is no list. */
function toNames(list) {
  return list?.split(',').map((name) => name.trim());
}
