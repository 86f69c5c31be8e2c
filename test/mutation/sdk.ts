/**
 * Breaks the browser SDK on purpose, one way at a time, and sees whether its unit tests notice:
 * `node test/mutation/sdk.ts [name…]`. It ends with 1 when a broken SDK passes for a whole one.
 */
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutate } from './mutant.ts';
import { SDK_MUTANTS } from './sdk-mutants.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COPIED = ['src', 'test/sdk', 'test/support', 'test/vitest.config.ts', 'test/tsconfig.json'];
const FILES = ['package.json', 'tsconfig.json', 'docs/errors.md'];
const PROCESSES = 2;

const wanted = process.argv.slice(2);
const queue = SDK_MUTANTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((text) => name.includes(text)),
);
const total = queue.length;
const base = mkdtempSync(join(tmpdir(), 'ofage-sdk-mutants-'));
let missed = 0;
try {
  // The case files stand beside the project, where they are at hand.
  if (existsSync(join(ROOT, '../shared')))
    symlinkSync(join(ROOT, '../shared'), join(base, 'shared'));
  const whole = await runTests(copy('whole'));
  if (whole.length > 0) throw new Error(`The tests fail without any change: ${whole[0]}`);
  await Promise.all(
    Array.from({ length: PROCESSES }, async (_, n) => {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        const folder = copy(`broken-${n}`);
        mutate(join(folder, 'src'), mutant);
        const failed = await runTests(folder);
        if (failed.length === 0) missed += 1;
        console.log(`${failed.length === 0 ? 'MISSED' : 'caught'}  ${mutant.name}`);
        if (failed.length > 0) console.log(`        ${failed.length} tests, first: ${failed[0]}`);
      }
    }),
  );
} finally {
  rmSync(base, { recursive: true, force: true });
}
console.log(`${total - missed} of ${total} broken SDKs caught`);
process.exitCode = missed > 0 ? 1 : 0;

function copy(name: string): string {
  const folder = join(base, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'test'), { recursive: true });
  for (const path of [...COPIED, ...FILES])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The names of the tests that failed. */
function runTests(folder: string): Promise<string[]> {
  const report = join(folder, 'report.json');
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--config', 'test/vitest.config.ts', '--project=sdk', '--reporter=json'];
  const child = spawn(process.execPath, [vitest, ...args, `--outputFile=${report}`], {
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
