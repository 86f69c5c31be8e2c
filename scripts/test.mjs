// npm test: installs if needed and runs every step of steps.mjs, also after one has failed, except the
// steps that need it. A step that starts beside another one prints its output when it ends.
//   node scripts/test.mjs                              everything
//   node scripts/test.mjs --skip browsers,e2e          all but the browsers (npm run check)
//   node scripts/test.mjs --only unit -- test/server   one step, with further arguments for its tool
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countResults, describeCounts, listFailures } from './count-results.mjs';
import { install, root } from './install.mjs';
import { isStopped, run } from './run.mjs';
import { runInOrder } from './schedule.mjs';
import { STEPS, chooseSteps } from './steps.mjs';

const reports = join(root, 'reports');
const MESSAGE_LINES = 15;

try {
  process.exitCode = await test(parseArguments(process.argv.slice(2)));
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}

async function test({ steps, extra }) {
  // Reports of an earlier run must not count for this one.
  mkdirSync(reports, { recursive: true });
  for (const { report } of STEPS) if (report) rmSync(join(reports, report), { force: true });

  const results = [];
  const installed = await install();
  if (installed !== 0) results.push({ name: 'install', status: 'failed', seconds: 0 });
  else await doSteps(steps, extra, results);
  const position = ({ name }) => steps.findIndex((step) => step.name === name);
  results.sort((a, b) => position(a) - position(b));
  writeFileSync(join(reports, 'steps.json'), `${JSON.stringify(results, null, 2)}\n`);

  const counts = countResults(reports);
  printFailures(listFailures(reports));
  if (results.length > 1) printSummary(results);
  console.log(describeCounts(counts));
  return counts.failed > 0 ? 1 : 0;
}

async function doSteps(steps, extra, results) {
  let isTerminalFree = true;
  await runInOrder(steps, async ({ name, report }, unmet) => {
    if (unmet !== undefined) {
      results.push({ name, report, status: 'failed', seconds: 0, why: `${unmet} failed` });
      return { isPassed: false };
    }
    const startedAtMs = performance.now();
    const isFirst = isTerminalFree;
    isTerminalFree = false;
    const code = await (isFirst ? runStep(name, extra) : runStepQuietly(name, extra));
    if (isFirst) isTerminalFree = true;
    const seconds = Math.round((performance.now() - startedAtMs) / 100) / 10;
    const isPassed = code === 0;
    results.push({ name, report, status: isPassed ? 'passed' : 'failed', seconds });
    return { isPassed, isStopped: isStopped(code) };
  });
}

function runStep(name, extra) {
  console.log(`\n== ${name}`);
  return startStep(name, extra, 'inherit');
}

/** Runs a step while another one uses the terminal, and prints the step's output when it ends. */
async function runStepQuietly(name, extra) {
  const path = join(reports, `${name}.log`);
  const file = openSync(path, 'w');
  const code = await startStep(name, extra, ['ignore', file, file]);
  closeSync(file);
  console.log(`\n== ${name}\n${readFileSync(path, 'utf8')}`);
  return code;
}

function startStep(name, extra, stdio) {
  return run(process.execPath, [join(root, 'scripts/step.mjs'), name, ...extra], { stdio });
}

/** Prints the failures again at the end, because readers of a long log look there first. */
function printFailures(failures) {
  if (failures.length > 0) console.log('\n== what failed');
  for (const { name, message } of failures) {
    const lines = message.split('\n').slice(0, MESSAGE_LINES);
    console.log(`\nFAILED  ${name}\n${lines.map((line) => `        ${line}`).join('\n')}`);
  }
}

function printSummary(results) {
  const width = Math.max(...results.map(({ name }) => name.length));
  console.log('');
  for (const { name, status, seconds, why } of results) {
    const note = why === undefined ? '' : `  not run: ${why}`;
    const time = `${seconds.toFixed(1)} s`.padStart(8);
    console.log(
      `${status === 'passed' ? 'ok    ' : 'FAILED'}  ${name.padEnd(width)} ${time}${note}`,
    );
  }
}

function parseArguments(args) {
  const { values, positionals } = parseArgs({
    args,
    options: { only: { type: 'string' }, skip: { type: 'string' } },
    allowPositionals: true,
  });
  const toNames = (list) => (list ?? '').split(',').filter((name) => name !== '');
  const steps = chooseSteps({ only: toNames(values.only), skip: toNames(values.skip) });
  if (positionals.length > 0 && toNames(values.only).length !== 1) {
    throw new RangeError('Further arguments go to one step: choose it with --only');
  }
  return { steps, extra: positionals };
}
