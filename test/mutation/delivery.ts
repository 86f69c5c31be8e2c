/**
 * Applies one mutant at a time to the delivery engine and checks that the simulation fails, or the unit test
 * that the mutant names: `node test/mutation/delivery.ts [name…]`. Exits with code 1 if a mutant is missed.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { SCENARIOS_IN_SUITE } from '../mock-server/delivery/simulation/report.ts';
import { inBrokenCopy } from './broken-copy.ts';
import { DELIVERY_MUTANTS } from './delivery-mutants.ts';
import type { Mutant } from './mutant.ts';
import { runTests } from './run-tests.ts';

const SOAK = 'test/mock-server/delivery/simulation/soak.ts';
const PROCESSES = 2;
/** The simulation itself stops endless loops. This limit is for a busy machine. */
const TIMEOUT_MS = 900_000;

interface Verdict {
  readonly mutant: Mutant;
  /** The first failure, or null if no check failed. */
  readonly noticed: string | null;
  readonly seconds: number;
}

const wanted = process.argv.slice(2);
const queue = DELIVERY_MUTANTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((text) => name.includes(text)),
);
const verdicts: Verdict[] = [];
const tests = new Set(queue.map(({ test }) => test));
for (const test of tests) {
  const noticed = await inBrokenCopy('.', [], (copy) => check(copy, test));
  if (noticed === null) continue;
  console.error(`${test ?? 'The simulation'} fails without any change: ${noticed}`);
  process.exit(1);
}
await Promise.all(
  Array.from({ length: PROCESSES }, async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const verdict = await tryMutant(mutant);
      verdicts.push(verdict);
      const { noticed, seconds } = verdict;
      console.log(
        `${noticed === null ? 'MISSED' : 'caught'}  ${mutant.name} (${seconds.toFixed(1)} s)`,
      );
      if (noticed !== null) console.log(`        ${noticed}`);
    }
  }),
);
const missed = verdicts.filter(({ noticed }) => noticed === null);
console.log(`${verdicts.length - missed.length} of ${verdicts.length} broken engines caught`);
const endless = verdicts.filter(({ noticed }) => noticed?.includes('without an end'));
// These were caught by the limit on steps instead of an invariant, because they loop endlessly.
if (endless.length > 0)
  console.log(`${endless.length} of them by the limit on steps: ${endless.map(toName).join(', ')}`);
process.exitCode = missed.length > 0 ? 1 : 0;

async function tryMutant(mutant: Mutant): Promise<Verdict> {
  const began = performance.now();
  const noticed = await inBrokenCopy('mock-server', [mutant], (copy) => check(copy, mutant.test));
  return { mutant, noticed, seconds: (performance.now() - began) / 1000 };
}

/** Runs a unit test, or the simulation if none is given. Returns the first failure. */
async function check(copy: string, test: string | undefined): Promise<string | null> {
  if (test === undefined) return soak(copy);
  const [failed] = await runTests(copy, [test]);
  return failed ?? null;
}

function toName({ mutant }: Verdict): string {
  return mutant.name;
}

function soak(copy: string): Promise<string | null> {
  const args = [join(copy, SOAK), '--scenarios', String(SCENARIOS_IN_SUITE)];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  // An engine that loops instead of waiting counts as caught too.
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) return resolve(null);
      const [line = 'no output'] = output.split('\n').filter((text) => text !== '');
      resolve(code === null ? 'it did not finish in time' : line.slice(0, 160));
    });
  });
}
