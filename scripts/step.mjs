// Runs one step of steps.mjs or part of parts.mjs, with further arguments for its tool:
//   node scripts/step.mjs unit test/server
import { PARTS } from './parts.mjs';
import { STEPS, assertKnown } from './steps.mjs';

const [name = '', ...extra] = process.argv.slice(2);
const all = [...STEPS, ...PARTS];
try {
  assertKnown(
    'step',
    all.map((step) => step.name),
    [name],
  );
  const step = all.find((one) => one.name === name);
  Object.assign(process.env, step.env);
  process.exitCode = await step.run(extra);
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
