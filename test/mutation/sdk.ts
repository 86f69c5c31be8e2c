/**
 * Applies one fault at a time to the browser SDK and checks that its unit tests fail. Exits with code 1 if
 * a mutant is missed: `node test/mutation/sdk.ts [name…]`.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutate } from './mutant.ts';
import { runTests } from './run-tests.ts';
import { SDK_MUTANTS } from './sdk-mutants.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COPIED = ['src', 'test/sdk', 'test/support', 'test/vitest.config.ts', 'test/tsconfig.json'];
const FILES = ['package.json', 'tsconfig.json', 'docs/errors.md'];
const TESTS = ['--project=sdk'];
const PROCESSES = 2;

const wanted = process.argv.slice(2);
const queue = SDK_MUTANTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((text) => name.includes(text)),
);
const total = queue.length;
const base = mkdtempSync(join(tmpdir(), 'ofage-sdk-mutants-'));
let missed = 0;
try {
  // Links the folder with the case files, which is outside of the project and may be absent.
  if (existsSync(join(ROOT, '../shared')))
    symlinkSync(join(ROOT, '../shared'), join(base, 'shared'));
  const whole = await runTests(copy('whole'), TESTS);
  if (whole.length > 0) throw new Error(`The tests fail without any change: ${whole[0]}`);
  await Promise.all(
    Array.from({ length: PROCESSES }, async (_, n) => {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        const folder = copy(`broken-${n}`);
        mutate(join(folder, 'src'), mutant);
        const failed = await runTests(folder, TESTS);
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
