// Counts the results of the last npm test from its reports. Prints one line. The exit code is 1 if anything
// failed.
//   node scripts/count-results.mjs
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const reports = fileURLToPath(new URL('../reports/', import.meta.url));

/**
 * Adds up the steps of `steps.json`. A step with a report counts each of its tests. A step without a report
 * counts as one test. A step counts as one failure if its report is missing, or if it failed although its
 * report has no failed test (it could not start, crashed, found no tests or was not run), so that no
 * failure is hidden. `failures` has the name and the message of each failed test.
 */
export function readResults() {
  const steps = readJson('steps.json') ?? [{ name: 'npm test', status: 'failed' }];
  const total = { passed: 0, skipped: 0, failures: [] };
  for (const { name, status, report, why = 'the step failed; its output is above' } of steps) {
    const read = report === undefined ? undefined : readReport(readJson(report));
    const results = read ?? {
      passed: status === 'passed' && report === undefined ? 1 : 0,
      skipped: 0,
      failures: [],
    };
    const isMissing = report !== undefined && read === undefined;
    if (results.failures.length === 0 && (status !== 'passed' || isMissing))
      results.failures.push({ name, message: why });
    total.passed += results.passed;
    total.skipped += results.skipped;
    total.failures.push(...results.failures);
  }
  return total;
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
  return report?.stats === undefined ? undefined : readPlaywright(report);
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
  return {
    passed: stats.expected + stats.flaky,
    skipped: stats.skipped ?? 0,
    failures: [...failures, ...errors.map(({ message }) => ({ name: 'playwright', message }))],
  };
}

function readJson(name) {
  const file = join(reports, name);
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
