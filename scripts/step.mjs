// Runs one step of steps.mjs, with further arguments for its tool: node scripts/step.mjs unit test/server
import { STEPS } from './steps.mjs';

const [name, ...extra] = process.argv.slice(2);
process.exitCode = await STEPS.find((step) => step.name === name).run(extra);
