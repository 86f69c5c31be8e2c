// Counts the results of the last npm test from its reports. Prints one line. The exit code is 1 if anything
// failed.
//   node scripts/count-results.mjs
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const reports = fileURLToPath(new URL('../reports/', import.meta.url));

/**
 * Adds up the steps of `steps.json`. A step with a report counts each of its tests. A step without a report
 * counts as one test. A step counts as one failure if its report is missing or unreadable, if no test of it
 * ran, or if it failed although its report has no failed test (it could not start, crashed or was not run),
 * so that no failure is hidden. `failures` has the name and the message of each failed test.
 *
 * @param {string} folder The folder of the reports.
 */
export function readResults(folder = reports) {
  const total = { passed: 0, skipped: 0, failures: [] };
  for (const step of readSteps(folder)) {
    const { passed, skipped, failures } = readStep(folder, step);
    total.passed += passed;
    total.skipped += skipped;
    total.failures.push(...failures);
  }
  return total;
}

/** Returns the steps that ran. If nothing says that any did, the run itself has failed. */
function readSteps(folder) {
  const steps = readJson(folder, 'steps.json');
  if (Array.isArray(steps) && steps.length > 0) return steps;
  return [{ name: 'npm test', status: 'failed', why: 'no step has reported a result' }];
}

const NOTHING = { passed: 0, skipped: 0, failures: [] };

function readStep(folder, { name, status, report, why }) {
  const fail = (message, results = NOTHING) => ({
    ...results,
    failures: [{ name, message: why ?? message }],
  });
  const hasPassed = status === 'passed';
  if (report === undefined)
    return hasPassed ? { ...NOTHING, passed: 1 } : fail('the step failed; its output is above');
  const results = readReport(readJson(folder, report));
  if (results === undefined) return fail(`reports/${report} is missing or incomplete`);
  if (results.failures.length > 0) return results;
  if (!hasPassed) return fail('the step failed; its output is above', results);
  if (results.passed === 0) return fail('no test ran', results);
  return results;
}

/**
 * Returns the closing line: `12 passed, 0 failed`, followed by the number of skipped tests if there are
 * any.
 */
export const describeCounts = ({ passed, failures, skipped }) =>
  `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** Returns the results in a report of Vitest or Playwright, or `undefined` for any other file. */
function readReport(report) {
  if (Array.isArray(report?.testResults)) return readVitest(report.testResults);
  return Number.isInteger(report?.stats?.expected) ? readPlaywright(report) : undefined;
}

function readVitest(files) {
  const tests = files.flatMap(({ assertionResults = [] }) => assertionResults);
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
  const failures = files.flatMap(({ name = '', status, message = '', assertionResults = [] }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that failed as a whole has no failed test: it could not be loaded, or a hook threw.
    if (failed.length === 0) return status === 'failed' ? [{ name: file, message }] : [];
    return failed.map(({ fullName, failureMessages }) => ({
      name: `${file} > ${fullName}`,
      message: failureMessages?.[0] ?? '',
    }));
  });
  return {
    passed: count('passed'),
    skipped: tests.length - count('passed') - count('failed'),
    failures,
  };
}

function readPlaywright({ stats, suites = [], errors = [] }) {
  const specsOf = ({ suites: inner = [], specs = [] }) => [...inner.flatMap(specsOf), ...specs];
  const failures = suites.flatMap(specsOf).flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ projectName, results }) => ({
        name: `[${projectName}] ${file} > ${title}`,
        message: results.at(-1)?.error?.message ?? '',
      })),
  );
  failures.push(...errors.map(({ message }) => ({ name: 'playwright', message })));
  if (failures.length === 0 && stats.unexpected > 0)
    failures.push({ name: 'playwright', message: `${stats.unexpected} tests failed` });
  return { passed: stats.expected + (stats.flaky ?? 0), skipped: stats.skipped ?? 0, failures };
}

function readJson(folder, name) {
  const file = join(folder, name);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // a tool was stopped while it wrote the file
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = readResults();
  console.log(describeCounts(results));
  process.exitCode = results.failures.length > 0 ? 1 : 0;
}
