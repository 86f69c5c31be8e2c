// Runs the steps of steps.mjs or the parts of parts.mjs, each in a process of its own.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeCounts, readResults } from './count-results.mjs';
import { installAll, root } from './install.mjs';
import { isStopped, run } from './run.mjs';

const reports = join(root, 'reports');
const MESSAGE_LINES = 15;

/** The maximum number of steps that run at once. Most of them keep little more than one processor busy. */
const STEPS_AT_ONCE = 2;

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
  for (const { report } of [...steps, { report: 'steps.json' }])
    if (report) rmSync(join(reports, report), { force: true });

  const installed = await installAll();
  const results =
    installed === 0
      ? await runInOrder(steps, extra)
      : [{ name: 'install', status: 'failed', seconds: 0 }];
  writeFileSync(join(reports, 'steps.json'), `${JSON.stringify(results, null, 2)}\n`);

  const counted = readResults();
  printFailures(counted.failures);
  if (results.length > 1) printSummary(results);
  console.log(describeCounts(counted));
  return counted.failures.length > 0 ? 1 : 0;
}

/**
 * Runs steps in their order, but starts a step early if every earlier one is running or still has to wait.
 * A step waits for those in its `needs` and `after`. A step with `isAlone` waits for all earlier steps, and
 * nothing runs beside it. Returns their results in the order of the steps.
 */
async function runInOrder(steps, extra) {
  const waiting = [...steps];
  const running = new Map();
  const results = new Map();
  let isTerminalFree = true;

  async function runOne({ name, report, needs = [] }) {
    const unmet = needs.find((needed) => results.get(needed)?.status === 'failed');
    if (unmet !== undefined)
      return { name, report, status: 'failed', seconds: 0, why: `not run: ${unmet} failed` };
    const startedAtMs = performance.now();
    const isFirst = isTerminalFree;
    isTerminalFree = false;
    const code = await (isFirst ? runStep(name, extra) : runStepQuietly(name, extra));
    if (isFirst) isTerminalFree = true;
    // A tester who has stopped one step does not want the next one.
    if (isStopped(code)) waiting.length = 0;
    const seconds = Math.round((performance.now() - startedAtMs) / 100) / 10;
    return { name, report, status: code === 0 ? 'passed' : 'failed', seconds };
  }

  while (waiting.length + running.size > 0) {
    const step = running.size < STEPS_AT_ONCE ? findNext(waiting, [...running.keys()]) : undefined;
    if (step === undefined) {
      await Promise.race(running.values());
      continue;
    }
    waiting.splice(waiting.indexOf(step), 1);
    const ended = runOne(step).then((result) => {
      running.delete(step);
      results.set(step.name, result);
    });
    running.set(step, ended);
  }
  return steps.flatMap(({ name }) => results.get(name) ?? []);
}

function findNext(waiting, running) {
  if (running.some(({ isAlone }) => isAlone)) return undefined;
  const unfinished = new Set([...waiting, ...running].map(({ name }) => name));
  return waiting.find(({ needs = [], after = [], isAlone }, index) => {
    if (isAlone) return index === 0 && running.length === 0;
    return ![...needs, ...after].some((name) => unfinished.has(name));
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
  for (const { name, status, seconds, why = '' } of results) {
    const word = status === 'passed' ? 'ok    ' : 'FAILED';
    console.log(
      `${word}  ${name.padEnd(width)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${why}`.trimEnd(),
    );
  }
}
