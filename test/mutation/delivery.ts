/**
 * Breaks the delivery engine on purpose, one way at a time, and sees whether the simulation notices, or the
 * unit test that the mutant names: `node test/mutation/delivery.ts [name…]`. It ends with 1 when a broken
 * engine passes for a whole one.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DELIVERY_MUTANTS } from './delivery-mutants.ts';
import { mutate, type Mutant } from './mutant.ts';
import { runTests } from './run-tests.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOAK = 'test/mock-server/delivery/simulation';
/** What unit tests need beside the engine. */
const COPIED = ['mock-server', 'src', 'testing', 'test/mock-server', 'test/support'];
const FILES = [
  'package.json',
  'tsconfig.json',
  'playground/tsconfig.json',
  'test/tsconfig.json',
  'test/vitest.config.ts',
];
/** As many as the suite has: what only more would show is not caught. */
const SCENARIOS = 10_000;
const PROCESSES = 2;
/** The simulation stops what spins; this is for a machine with much else to do. */
const PATIENCE_MS = 900_000;

interface Verdict {
  readonly mutant: Mutant;
  /** The first thing that was noticed; null when nothing was. */
  readonly noticed: string | null;
  readonly seconds: number;
}

const wanted = process.argv.slice(2);
const queue = DELIVERY_MUTANTS.filter(
  ({ name }) => wanted.length === 0 || wanted.some((text) => name.includes(text)),
);
const verdicts: Verdict[] = [];
const engine = { name: 'the engine as it is', file: 'brand.ts', find: '', replace: '' };
const tests = new Set(queue.map(({ test }) => test));
for (const test of tests) {
  const whole = await judge({ ...engine, ...(test !== undefined && { test }) });
  if (whole.noticed === null) continue;
  console.error(`${test ?? 'The simulation'} fails without any change: ${whole.noticed}`);
  process.exit(1);
}
await Promise.all(
  Array.from({ length: PROCESSES }, async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const verdict = await judge(mutant);
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
const endless = verdicts.filter(({ noticed }) => noticed?.includes('no end in sight'));
// No invariant was needed for these: they did without end what an engine does now and then.
if (endless.length > 0)
  console.log(`${endless.length} of them by the limit on steps: ${endless.map(toName).join(', ')}`);
process.exitCode = missed.length > 0 ? 1 : 0;

async function judge(mutant: Mutant): Promise<Verdict> {
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
  const args = [join(folder, SOAK, 'soak.ts'), '--scenarios', String(SCENARIOS)];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  // An engine that spins instead of waiting is noticed, too.
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) return resolve(null);
      const [line = 'nothing was said'] = output.split('\n').filter((text) => text !== '');
      resolve(code === null ? 'it never came to an end' : line.slice(0, 160));
    });
  });
}
