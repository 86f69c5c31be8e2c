// npm test: runs every step of steps.mjs.
//   node scripts/test.mjs                              everything
//   node scripts/test.mjs --skip browsers,e2e          all but the browsers (npm run check)
//   node scripts/test.mjs --only unit -- test/server   one step, with further arguments for its tool
import { parseArgs } from 'node:util';
import { runSteps } from './run-steps.mjs';
import { STEPS, chooseSteps, toNames } from './steps.mjs';

try {
  const { steps, extra } = parseArguments(process.argv.slice(2));
  process.exitCode = await runSteps(steps, extra);
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}

function parseArguments(args) {
  const { values, positionals } = parseArgs({
    args,
    options: { only: { type: 'string' }, skip: { type: 'string' } },
    allowPositionals: true,
  });
  const steps = chooseSteps(STEPS, { only: toNames(values.only), skip: toNames(values.skip) });
  if (positionals.length > 0 && toNames(values.only).length !== 1) {
    throw new RangeError('Further arguments go to one step: choose it with --only');
  }
  return { steps, extra: positionals };
}
