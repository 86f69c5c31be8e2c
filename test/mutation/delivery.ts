/**
 * Applies one fault at a time to the delivery engine and checks that the simulation fails, or the unit test
 * that the mutant names: `node test/mutation/delivery.ts [name…]`. Exits with code 1 if a mutant is missed.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SCENARIOS_IN_SUITE } from '../mock-server/delivery/simulation/report.ts';
import { DELIVERY_MUTANTS } from './delivery-mutants.ts';
import { mutate, type Mutant } from './mutant.ts';
import { runTests } from './run-tests.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOAK = 'test/mock-server/delivery/simulation';
/** Folders that the unit tests need in addition to the engine. */
const COPIED = ['mock-server', 'src', 'testing', 'test/mock-server', 'test/support'];
const FILES = [
  'package.json',
  'tsconfig.json',
  'playground/tsconfig.json',
  'test/tsconfig.json',
  'test/vitest.config.ts',
];
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
const engine = { name: 'the unchanged engine', file: 'brand.ts', find: '', replace: '' };
const tests = new Set(queue.map(({ test }) => test));
for (const test of tests) {
  const whole = await tryMutant({ ...engine, ...(test !== undefined && { test }) });
  if (whole.noticed === null) continue;
  console.error(`${test ?? 'The simulation'} fails without any change: ${whole.noticed}`);
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
  const folder = mkdtempSync(join(tmpdir(), 'ofage-mutant-'));
  try {
    for (const path of [...COPIED, ...FILES])
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    if (mutant.find !== '') mutate(join(folder, 'mock-server'), mutant);
    const began = performance.now();
    const noticed = await (mutant.test === undefined ? soak(folder) : test(folder, mutant.test));
    return { mutant, noticed, seconds: (performance.now() - began) / 1000 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function test(folder: string, path: string): Promise<string | null> {
  const [failed] = await runTests(folder, [path]);
  return failed ?? null;
}

function toName({ mutant }: Verdict): string {
  return mutant.name;
}

function soak(folder: string): Promise<string | null> {
  const args = [join(folder, SOAK, 'soak.ts'), '--scenarios', String(SCENARIOS_IN_SUITE)];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
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
