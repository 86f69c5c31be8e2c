import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeSandbox, write } from './sandbox.ts';

const script = fileURLToPath(new URL('../../scripts/count-results.mjs', import.meta.url));

/** Writes reports to a folder and runs the command on it, as .ci/run does. */
function count(reports: Record<string, object | string>): { line: string; code: number | null } {
  const folder = makeSandbox();
  for (const [name, report] of Object.entries(reports)) write(folder, `reports/${name}`, report);
  const { stdout, status } = spawnSync(process.execPath, [script, join(folder, 'reports')], {
    encoding: 'utf8',
  });
  return { line: stdout.trim(), code: status };
}

const step = (name: string, status: string, report?: string) => ({ name, status, report });
const vitest = (...statuses: string[]) => ({
  testResults: [
    {
      status: statuses.includes('failed') ? 'failed' : 'passed',
      assertionResults: statuses.map((status) => ({ status })),
    },
  ],
});
const playwright = (stats: object, errors: object[] = []) => ({
  stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  errors,
});

describe('count-results', () => {
  it.each([
    {
      why: 'counts each test, and each step without a report as one',
      reports: {
        'steps.json': [
          step('lint', 'passed'),
          step('unit', 'passed', 'unit.json'),
          step('e2e', 'passed', 'e2e.json'),
        ],
        'unit.json': vitest('passed', 'passed'),
        'e2e.json': playwright({ expected: 3 }),
      },
      line: '6 passed, 0 failed',
    },
    {
      why: 'reports skipped tests without counting them as failures',
      reports: {
        'steps.json': [step('unit', 'passed', 'unit.json'), step('e2e', 'passed', 'e2e.json')],
        'unit.json': vitest('passed', 'skipped', 'pending', 'todo'),
        'e2e.json': playwright({ expected: 1, skipped: 2 }),
      },
      line: '2 passed, 0 failed, 5 skipped',
    },
    {
      why: 'counts a failed step and a failed test',
      reports: {
        'steps.json': [step('types', 'failed'), step('unit', 'failed', 'unit.json')],
        'unit.json': vitest('passed', 'failed'),
      },
      line: '1 passed, 2 failed',
    },
    {
      why: 'counts a failed test even if its step passed',
      reports: {
        'steps.json': [step('unit', 'passed', 'unit.json')],
        'unit.json': vitest('failed'),
      },
      line: '0 passed, 1 failed',
    },
    {
      why: 'counts a file that could not be loaded',
      reports: {
        'steps.json': [step('unit', 'failed', 'unit.json')],
        'unit.json': { testResults: [{ status: 'failed', assertionResults: [] }] },
      },
      line: '0 passed, 1 failed',
    },
    {
      why: 'counts a file that could not be loaded in addition to a failed test',
      reports: {
        'steps.json': [step('unit', 'failed', 'unit.json')],
        'unit.json': {
          testResults: [
            { status: 'failed', assertionResults: [] },
            ...vitest('failed').testResults,
          ],
        },
      },
      line: '0 passed, 2 failed',
    },
    {
      why: 'counts a failed step whose tests all passed',
      reports: {
        'steps.json': [step('unit', 'failed', 'unit.json')],
        'unit.json': vitest('passed', 'passed'),
      },
      line: '2 passed, 1 failed',
    },
    {
      why: 'counts an error of the whole browser suite as one failure',
      reports: {
        'steps.json': [step('e2e', 'failed', 'e2e.json')],
        'e2e.json': playwright({ expected: 1, unexpected: 1 }, [{ message: 'no web server' }]),
      },
      line: '1 passed, 2 failed',
    },
    {
      why: 'counts a flaky test as passed',
      reports: {
        'steps.json': [step('e2e', 'passed', 'e2e.json')],
        'e2e.json': playwright({ expected: 1, flaky: 1 }),
      },
      line: '2 passed, 0 failed',
    },
    {
      why: 'counts a step that was not run as failed',
      reports: { 'steps.json': [step('build', 'failed'), step('e2e', 'failed', 'e2e.json')] },
      line: '0 passed, 2 failed',
    },
    {
      why: 'counts a passed step with a missing report as failed',
      reports: { 'steps.json': [step('unit', 'passed', 'unit.json')] },
      line: '0 passed, 1 failed',
    },
    {
      why: 'counts a truncated report as one failure',
      reports: { 'steps.json': [step('unit', 'failed', 'unit.json')], 'unit.json': '{"testRes' },
      line: '0 passed, 1 failed',
    },
    {
      why: 'ignores a report of an earlier run',
      reports: {
        'steps.json': [step('lint', 'passed')],
        'e2e.json': playwright({ unexpected: 9 }),
      },
      line: '1 passed, 0 failed',
    },
    {
      why: 'counts a missing list of steps as one failure',
      reports: {},
      line: '0 passed, 1 failed',
    },
    {
      why: 'counts an empty list of steps as one failure',
      reports: { 'steps.json': [] },
      line: '0 passed, 1 failed',
    },
  ])('$why: $line', ({ reports, line }) => {
    expect(count(reports)).toEqual({ line, code: line.includes(' 0 failed') ? 0 : 1 });
  });
});
