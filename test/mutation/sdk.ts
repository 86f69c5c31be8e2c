/**
 * Applies one mutant at a time to the browser SDK and checks that its unit tests fail. Exits with code 1 if
 * a mutant is missed: `node test/mutation/sdk.ts [name…]`.
 */
import { inBrokenCopy } from './broken-copy.ts';
import { runTests } from './run-tests.ts';
import { SDK_MUTANTS } from './sdk-mutants.ts';

const TESTS = ['--project=sdk'];
const PROCESSES = 2;

const wanted = process.argv.slice(2);
const queue = SDK_MUTANTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((text) => name.includes(text)),
);
const total = queue.length;
let missed = 0;

const [unexpected] = await inBrokenCopy('src', [], (copy) => runTests(copy, TESTS));
if (unexpected !== undefined) throw new Error(`The tests fail without any change: ${unexpected}`);
await Promise.all(
  Array.from({ length: PROCESSES }, async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const failed = await inBrokenCopy('src', [mutant], (copy) => runTests(copy, TESTS));
      if (failed.length === 0) missed += 1;
      console.log(`${failed.length === 0 ? 'MISSED' : 'caught'}  ${mutant.name}`);
      if (failed.length > 0) console.log(`        ${failed.length} tests, first: ${failed[0]}`);
    }
  }),
);
console.log(`${total - missed} of ${total} broken SDKs caught`);
process.exitCode = missed > 0 ? 1 : 0;
