// Counts the results of the last npm test from its reports. Prints one line. The exit code is 1 if anything
// failed.
//   node scripts/count-results.mjs [folder]
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Adds up the steps of `steps.json`. A step with a report counts each of its tests. A step without a report
 * counts as one test. A step counts as one failure if its report is missing, or if it failed although its
 * report has no failed test (it could not start, crashed, found no tests or was not run), so that no
 * failure is hidden.
 */
export function countResults(folder) {
  const steps = readJson(join(folder, 'steps.json'));
  if (!Array.isArray(steps) || steps.length === 0) return { passed: 0, failed: 1, skipped: 0 };
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, report } of steps) {
    const didPass = status === 'passed';
    const tests = report === undefined ? undefined : countReport(readJson(join(folder, report)));
    const counts = tests ?? { passed: didPass && !report ? 1 : 0, failed: 0, skipped: 0 };
    const isSilent = counts.failed === 0 && (!didPass || (report !== undefined && !tests));
    total.passed += counts.passed;
    total.failed += counts.failed + (isSilent ? 1 : 0);
    total.skipped += counts.skipped;
  }
  return total;
}

/**
 * Returns the closing line: `12 passed, 0 failed`, followed by the number of skipped tests if there are
 * any.
 */
export function describeCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * Returns the name and the message of every failed test in the reports. They are printed at the end, where
 * readers of a long log look first.
 */
export function listFailures(folder) {
  const steps = readJson(join(folder, 'steps.json'));
  if (!Array.isArray(steps)) return [];
  return steps.flatMap(({ report }) => {
    const read = report === undefined ? undefined : readJson(join(folder, report));
    return [...failuresOfVitest(read?.testResults ?? []), ...failuresOfPlaywright(read)];
  });
}

function failuresOfVitest(files) {
  return files.flatMap(({ name, status, message = '', assertionResults = [] }) => {
    const file = relative(process.cwd(), name ?? '');
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [{ name: file, message }] : [];
    return failed.map((test) => ({
      name: `${file} > ${test.fullName}`,
      message: test.failureMessages?.[0] ?? '',
    }));
  });
}

function failuresOfPlaywright(report) {
  const visit = (suite) => [
    ...(suite.suites ?? []).flatMap(visit),
    ...(suite.specs ?? []).flatMap(({ title, file, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected')
        .map(({ projectName, results }) => ({
          name: `[${projectName}] ${file} > ${title}`,
          message: results.at(-1)?.error?.message ?? '',
        })),
    ),
  ];
  const errors = (report?.errors ?? []).map(({ message }) => ({ name: 'playwright', message }));
  return [...(report?.suites ?? []).flatMap(visit), ...errors];
}

/** Returns the counts of a report of Vitest or Playwright, or `undefined` for any other file. */
function countReport(report) {
  if (Array.isArray(report?.testResults)) return countVitest(report.testResults);
  if (typeof report?.stats?.expected === 'number') return countPlaywright(report);
  return undefined;
}

function countVitest(files) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults = [] } of files) {
    const failed = assertionResults.filter((test) => test.status === 'failed').length;
    const passed = assertionResults.filter((test) => test.status === 'passed').length;
    total.passed += passed;
    // A file that failed as a whole has no failed test: it could not be loaded, or a hook threw.
    total.failed += failed === 0 && status === 'failed' ? 1 : failed;
    total.skipped += assertionResults.length - failed - passed;
  }
  return total;
}

function countPlaywright({ stats, errors = [] }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  };
}

function readJson(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // a tool was stopped while it wrote the file
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? fileURLToPath(new URL('../reports', import.meta.url));
  const counts = countResults(resolve(folder));
  console.log(describeCounts(counts));
  process.exitCode = counts.failed > 0 ? 1 : 0;
}
