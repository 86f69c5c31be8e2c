import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/**
 * Runs tests in a copy of the repository or of a part of it.
 * @param filters Filters of Vitest, such as `--project=sdk` or the path of a test.
 * @returns the names of the failed tests, and the errors of files that could not be loaded
 */
export function runTests(folder: string, filters: readonly string[]): Promise<string[]> {
  const report = join(folder, 'report.json');
  const args = ['run', '--config', 'test/vitest.config.ts', ...filters, '--reporter=json'];
  const child = spawn(process.execPath, [VITEST, ...args, `--outputFile=${report}`], {
    cwd: folder,
    stdio: 'ignore',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
      resolve(
        testResults.flatMap(({ status, message, assertionResults }) => {
          const failed = assertionResults.filter((one) => one.status === 'failed');
          if (failed.length > 0) return failed.map(({ fullName }) => fullName);
          return status === 'failed' ? [message] : [];
        }),
      );
    });
  });
}

interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}
