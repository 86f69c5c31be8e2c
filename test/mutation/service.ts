/**
 * Breaks one rule of the service at a time and checks that the conformance kit fails:
 * `node test/mutation/service.ts [name…]`. Prints the first checks that caught each mutant. Exits with code
 * 1 if a mutant is missed.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { inBrokenCopy } from './broken-copy.ts';
import type { KitFailure } from './run-kit.ts';
import { editsOf, type ServiceMutant } from './service-mutant.ts';
import { SERVICE_MUTANTS } from './service-mutants.ts';

const PROCESSES = 2;
/**
 * The kit needs a few seconds. If a service does not finish, only the checks that have failed by then
 * count.
 */
const TIMEOUT_MS = 300_000;

const wanted = process.argv.slice(2);
const queue = SERVICE_MUTANTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((text) => name.includes(text)),
);
const total = queue.length;
const hosts = new Set(queue.map(({ host }) => host));
for (const host of hosts) {
  const whole = await tryMutant([], host);
  if (whole.length === 0) continue;
  console.error(`The unchanged service fails (${host ?? 'in process'}): ${listFailures(whole)}`);
  process.exit(1);
}
const missed: string[] = [];
await Promise.all(
  Array.from({ length: PROCESSES }, async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const failures = await tryMutant(editsOf(mutant), mutant.host);
      if (failures.length === 0) missed.push(mutant.name);
      const verdict = failures.length === 0 ? 'MISSED' : 'caught';
      console.log(`${verdict}  ${mutant.name}`);
      if (failures.length > 0) console.log(`        ${listFailures(failures)}`);
    }
  }),
);
console.log(`${total - missed.length} of ${total} broken services caught`);
if (missed.length > 0) console.log(`Missed: ${missed.join('; ')}`);
process.exitCode = missed.length > 0 ? 1 : 0;

/** Lists the failed checks, those of the most binding rules first. */
function listFailures(failures: readonly KitFailure[]): string {
  const levels = ['must', 'should', 'reading'];
  const sorted = failures.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  return sorted.map(({ id, level }) => `${id} (${level})`).join(', ');
}

/** Returns the checks that fail in a copy of the service with these changes. */
function tryMutant(
  edits: ReturnType<typeof editsOf>,
  host: ServiceMutant['host'],
): Promise<readonly KitFailure[]> {
  return inBrokenCopy('mock-server', edits, (copy) => runKit(copy, host));
}

function runKit(copy: string, host: ServiceMutant['host']): Promise<readonly KitFailure[]> {
  const args = [join(copy, 'test/mutation/run-kit.ts'), ...(host ? [host] : [])];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      // The process is killed at the time limit, because some broken services are very busy.
      if (code !== 0 && code !== null)
        return reject(new Error(`The kit did not run: ${errors.slice(0, 2_000)}`));
      const lines = output.split('\n').filter((line) => line.startsWith('{'));
      resolve(lines.map((line) => JSON.parse(line) as KitFailure));
    });
  });
}
