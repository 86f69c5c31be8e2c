// Runs one step of steps.mjs or part of parts.mjs, with further arguments for its tool:
//   node scripts/step.mjs unit test/server
import { PARTS } from './parts.mjs';
import { STEPS } from './steps.mjs';

const [name, ...extra] = process.argv.slice(2);
const step = [...STEPS, ...PARTS].find((step) => step.name === name);
Object.assign(process.env, step.env);
process.exitCode = await step.run(extra);
