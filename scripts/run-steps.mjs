// Runs the steps of steps.mjs or the parts of parts.mjs, each in a process of its own.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countResults, describeCounts, listFailures } from './count-results.mjs';
import { installAll, root } from './install.mjs';
import { isStopped, run } from './run.mjs';
import { runInOrder } from './schedule.mjs';

const reports = join(root, 'reports');
const MESSAGE_LINES = 15;

/**
 * Installs if needed and runs the steps, also after one has failed, except the steps that need it. A step
 * that starts beside another one prints its output when it ends. Prints the failures again and the number of
 * passed and failed tests. Returns the exit code.
 *
 * @param extra Further arguments for the tools of the steps.
 */
export async function runSteps(steps, extra = []) {
  // Reports of an earlier run must not count for this one.
  mkdirSync(reports, { recursive: true });
  for (const { report } of steps) if (report) rmSync(join(reports, report), { force: true });

  const results = [];
  const installed = await installAll();
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
