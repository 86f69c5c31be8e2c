/**
 * Measures the service over HTTP, compared with a handwritten server and with other mock servers. Also
 * measures its start, its memory and its clock moves.
 *
 * In alternating runs of 400 requests, a validate takes 62 us of CPU time, and 28 us in the handwritten
 * server, which is a ratio of 0.45. In the phases of 8,000 requests of this benchmark the ratio is about
 * 0.4, because the sessions have left the caches and the young generation by then. The shares of a
 * validate's CPU time in percent, sampled with `perf record -e cpu-clock` on a warm server in memory:
 *
 *   27  writing to the socket, mostly the kernel's TCP
 *   21  Node's HTTP parser and what it calls, down to the service's listener
 *    9  reading the body: the events of the stream, the ArrayBuffer, UTF-8, JSON
 *    8  garbage collection
 *    7  Node's response
 *    6  the rules: key, limit, body checks, session
 *    5  the store's transaction: journal, changes, promises
 *    5  the rest of the response: awaits, the request log, the response object
 *    5  Request, Response and headers of the adapter and of the response
 *    2  Hono
 *    5  reading from the socket, waiting, memory
 *
 * More than half is spent in Node and the kernel, as in the handwritten server. If any single other part
 * cost nothing, the ratio would still be below 0.65. Measured one by one, these changes made a difference
 * within or near the noise: removing `app.all` (-1 to -2 us), the request log (-3), the second check of a
 * batch with one transaction (0) or the async wrapper around `fetch` (-1), and a young generation of 64 MB
 * (0). `request.text()` would save 5 us, but hides invalid UTF-8.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { GIGABYTE, runProgram } from './program.ts';
import type { LoadOrder, PhaseReport } from './service/load.ts';
import {
  CLI,
  installPeers,
  startJsonServer,
  startMockoon,
  startOfAge,
  startPrism,
  startRaw,
  type Subject,
} from './service/servers.ts';
import { median, printTable } from './statistics.ts';

const ROUNDS = 5;
const IN_FLIGHT = 16;
const STARTS = 9;

export async function run(): Promise<void> {
  if (!existsSync(CLI))
    throw new Error('Cannot measure: mock-server/dist/ofage-mock.js was not built');
  await measureStarts();
  await measureInProcess();
  const folder = mkdtempSync(join(tmpdir(), 'ofage-bench-'));
  const subjects: Subject[] = [];
  try {
    installPeers(folder);
    const inMemory = await startOfAge('ofage in memory', ['--ephemeral']);
    subjects.push(await startRaw(), inMemory);
    subjects.push(await startOfAge('ofage in a file', ['--data', join(folder, 'state.sqlite')]));
    const openApi = await fetch(`http://127.0.0.1:${inMemory.port}/openapi.json`);
    subjects.push(await startPrism(folder, await openApi.text()));
    subjects.push(await startMockoon(folder), await startJsonServer(folder));
    await measureLoad(subjects);
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureLoad(subjects: readonly Subject[]): Promise<void> {
  const reports = subjects.map((): Record<'create' | 'validate', PhaseReport[]> => ({
    create: [],
    validate: [],
  }));
  // The first round warms up. The subjects alternate, so that a slow moment of the machine affects all of them.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, subject] of subjects.entries()) {
      const { create, settle, validate } = await load(subject);
      if (settle && settle.wrong > 0) throw new Error(`${subject.name} settles wrongly`);
      if (round === 0) continue;
      reports[index]?.create.push(create);
      reports[index]?.validate.push(validate);
    }
  }
  for (const what of ['create', 'validate'] as const) {
    const of = (index: number, read: (report: PhaseReport) => number): number =>
      median((reports[index]?.[what] ?? []).map(read));
    const cpu = (index: number): number => of(index, ({ cpuUs }) => cpuUs ?? Number.NaN);
    const rate = (index: number): number => of(index, (report) => report.requests / report.seconds);
    printTable(`${what}: medians of ${ROUNDS} rounds, ${IN_FLIGHT} in flight`, [
      ['', 'CPU us', 'raw/CPU', 'req/s', 'of raw', 'p50 ms', 'p99 ms', 'wrong'],
      ...subjects.map(({ name }, index) => [
        name,
        cpu(index).toFixed(0),
        (cpu(0) / cpu(index)).toFixed(2),
        rate(index).toFixed(0),
        (rate(index) / rate(0)).toFixed(2),
        of(index, ({ p50Ms }) => p50Ms).toFixed(2),
        of(index, ({ p99Ms }) => p99Ms).toFixed(2),
        String((reports[index]?.[what] ?? []).reduce((sum, { wrong }) => sum + wrong, 0)),
      ]),
    ]);
  }
}

async function load(
  subject: Subject,
): Promise<{ create: PhaseReport; settle: PhaseReport | null; validate: PhaseReport }> {
  const { port, pid, create, settle, validate } = subject;
  const phases = settle ? [create, settle, validate] : [create, validate];
  const order: LoadOrder = { port, pid, inFlight: IN_FLIGHT, phases };
  const reports = await runProgram<PhaseReport[]>('service/load', [JSON.stringify(order)]);
  const [first, second, third] = reports;
  if (!first || !second) throw new Error(`Cannot load ${subject.name}`);
  return third
    ? { create: first, settle: second, validate: third }
    : { create: first, settle: null, validate: second };
}

/** Measures the time from process start to the first response, compared with a process that does nothing. */
async function measureStarts(): Promise<void> {
  const bare: number[] = [];
  const ready: number[] = [];
  const first: number[] = [];
  for (let round = 0; round <= STARTS; round += 1) {
    const startedAt = performance.now();
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    await once(child, 'close');
    const bareMs = performance.now() - startedAt;
    const subject = await startOfAgeUntilAnswer();
    if (round === 0) continue;
    bare.push(bareMs);
    ready.push(subject.readyMs);
    first.push(subject.firstMs);
  }
  printTable(`Start-up, medians of ${STARTS}`, [
    ['', 'ms'],
    ['node -e 0, until it exits', median(bare).toFixed(0)],
    ['ofage-mock, until it reports that it is ready', median(ready).toFixed(0)],
    ['ofage-mock, until its first session', median(first).toFixed(0)],
  ]);
}

async function startOfAgeUntilAnswer(): Promise<{ readyMs: number; firstMs: number }> {
  const startedAt = performance.now();
  const args = [CLI, '--ephemeral', '--json', '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const readyMs = performance.now() - startedAt;
  const { apiBase, secretKey } = JSON.parse(text) as Record<'apiBase' | 'secretKey', string>;
  const answer = await fetch(`${apiBase}/sessions/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: '{"returnUrl":"http://localhost/"}',
  });
  if (answer.status !== 201) throw new Error(`Cannot create a session: ${await answer.text()}`);
  await answer.text();
  const firstMs = performance.now() - startedAt;
  child.kill('SIGKILL');
  await once(child, 'close');
  return { readyMs, firstMs };
}

async function measureInProcess(): Promise<void> {
  const creations: { created: number; ready: number }[] = [];
  for (let round = 0; round < STARTS; round += 1)
    creations.push(await runProgram('service/in-process', ['creation']));
  const clock = await runProgram<{ jobs: number; milliseconds: number }>('service/in-process', [
    'clock',
    '100000',
  ]);
  printTable('In process', [
    ['', 'ms'],
    ['createMockService()', median(creations.map(({ created }) => created)).toFixed(2)],
    ['createMockService(), until its keys', median(creations.map(({ ready }) => ready)).toFixed(2)],
    [`clock over ${clock.jobs} due jobs`, clock.milliseconds.toFixed(0)],
  ]);

  // A million sessions need several gigabytes.
  const isRoomy = freemem() > 8 * GIGABYTE;
  const sizes = [1_000, 10_000, 100_000, ...(isRoomy ? [1_000_000] : [])];
  const rows = await runProgram<{ size: number; bytes: number; microseconds: number }[]>(
    'service/in-process',
    ['memory', sizes.join(',')],
    { nodeOptions: ['--expose-gc', '--max-old-space-size=8000'] },
  );
  printTable('Sessions held in memory, created through fetch()', [
    ['sessions', 'heap bytes each', 'us each'],
    ...rows.map(({ size, bytes, microseconds }) => [
      String(size),
      bytes.toFixed(0),
      microseconds.toFixed(1),
    ]),
  ]);
}
