/**
 * Breaks one rule of the service at a time and checks that the conformance kit fails:
 * `node test/mutation/service.ts [name…]`. Prints the checks that caught each mutant. A mutant whose kit
 * does not finish in time is tried again at the end, alone. Exits with code 1 if a mutant is not caught.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { inBrokenCopy } from './broken-copy.ts';
import type { KitFailure } from './run-kit.ts';
import { editsOf, type ServiceMutant } from './service-mutant.ts';
import { SERVICE_MUTANTS } from './service-mutants.ts';

const PROCESSES = 2;
/** The kit needs a few seconds. At this limit it is killed, because some broken services are very busy. */
const TIMEOUT_MS = 300_000;

const wanted = process.argv.slice(2);
const queue = SERVICE_MUTANTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((text) => name.includes(text)),
);
const total = queue.length;
const hosts = new Set(queue.map(({ host }) => host));
for (const host of hosts) {
  const { failures, finished } = await runMutant([], host);
  if (finished && failures.length === 0) continue;
  const fault = finished ? `fails: ${listFailures(failures)}` : 'does not finish in time.';
  console.error(`The unchanged service (${host ?? 'in process'}) ${fault}`);
  process.exit(1);
}
const notCaught: string[] = [];
const timedOut: ServiceMutant[] = [];
await Promise.all(
  Array.from({ length: PROCESSES }, async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      if ((await tryMutant(mutant)) === 'TIMED OUT') timedOut.push(mutant);
    }
  }),
);
for (const mutant of timedOut)
  if ((await tryMutant(mutant)) === 'TIMED OUT') notCaught.push(mutant.name);
console.log(`${total - notCaught.length} of ${total} broken services caught`);
if (notCaught.length > 0) console.log(`Not caught: ${notCaught.join('; ')}`);
process.exitCode = notCaught.length > 0 ? 1 : 0;

/** Runs the kit against a mutant and prints the verdict. The checks that failed before the limit count. */
async function tryMutant(mutant: ServiceMutant): Promise<'caught' | 'MISSED' | 'TIMED OUT'> {
  const { failures, finished } = await runMutant(editsOf(mutant), mutant.host);
  const verdict = failures.length > 0 ? 'caught' : finished ? 'MISSED' : 'TIMED OUT';
  if (verdict === 'MISSED') notCaught.push(mutant.name);
  console.log(`${verdict}  ${mutant.name}`);
  if (failures.length > 0) console.log(`        ${listFailures(failures)}`);
  return verdict;
}

/** Lists the failed checks, those of the most binding rules first. */
function listFailures(failures: readonly KitFailure[]): string {
  const levels = ['must', 'should', 'reading'];
  const sorted = failures.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  return sorted.map(({ id, level }) => `${id} (${level})`).join(', ');
}

interface KitRun {
  failures: readonly KitFailure[];
  /** False if the kit was killed at the time limit. */
  finished: boolean;
}

/** Runs the kit against a copy of the service with these changes. */
function runMutant(
  edits: ReturnType<typeof editsOf>,
  host: ServiceMutant['host'],
): Promise<KitRun> {
  return inBrokenCopy('mock-server', edits, (copy) => runKit(copy, host));
}

function runKit(copy: string, host: ServiceMutant['host']): Promise<KitRun> {
  const args = [join(copy, 'test/mutation/run-kit.ts'), ...(host ? [host] : [])];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const finished = signal !== 'SIGKILL';
      if (finished && code !== 0)
        return reject(new Error(`The kit did not run: ${errors.slice(0, 2_000)}`));
      const lines = output.split('\n').filter((line) => line.startsWith('{'));
      resolve({ failures: lines.map((line) => JSON.parse(line) as KitFailure), finished });
    });
  });
}
