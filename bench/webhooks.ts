/** Measures webhook delivery, compared with a bare loop of the same requests, and the cost of a backlog. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { freemem } from 'node:os';
import { createTestTls } from '../test/support/tls.ts';
import { GIGABYTE, programPath, runProgram } from './program.ts';
import { median, printTable } from './statistics.ts';
import { createBareLoop, createEngineRun, type Job } from './webhooks/throughput.ts';

const ROUNDS = 5;
const RECEIVERS = 4;
const EVENTS = 500;

export async function run(): Promise<void> {
  await measureThroughput();
  await measureQueue();
  await measureDay();
}

async function measureThroughput(): Promise<void> {
  const tls = createTestTls(['shop.example']);
  // A separate process, as in production. Otherwise both sides would share one thread.
  const receivers = fork(programPath('webhooks/receivers'), [
    JSON.stringify({ cert: tls.cert, key: tls.key, count: RECEIVERS }),
  ]);
  try {
    const [ports] = (await once(receivers, 'message')) as [number[]];
    const job: Job = { ports, events: EVENTS, ca: tls.ca };
    const bare: number[] = [];
    const engine: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const alone = await createBareLoop(job)();
      const delivered = await createEngineRun(job)();
      // The first round warms up.
      if (round === 0) continue;
      bare.push(alone);
      engine.push(delivered);
    }
    const count = EVENTS * RECEIVERS;
    printTable(`${count} requests to ${RECEIVERS} TLS receivers, 8 at a time each`, [
      ['', 'a second', 'of the loop'],
      ['bare loop', (count / median(bare)).toFixed(0), '1.00'],
      [
        'the engine',
        (count / median(engine)).toFixed(0),
        (median(bare) / median(engine)).toFixed(2),
      ],
    ]);
  } finally {
    receivers.kill();
  }
}

async function measureQueue(): Promise<void> {
  const rows = [['queued', 'KB an event', 'us to queue one', 'us an attempt']];
  for (const count of [1_000, 100_000, 1_000_000]) {
    if (count * 5_000 > freemem() - 2 * GIGABYTE) {
      rows.push([String(count), 'not enough memory', '', '']);
      continue;
    }
    const { bytes, queueMs, attemptMs } = await runProgram<Record<string, number>>(
      'webhooks/queue',
      [String(count)],
      { nodeOptions: ['--expose-gc', '--max-old-space-size=14000'] },
    );
    rows.push([
      String(count),
      ((bytes ?? 0) / count / 1000).toFixed(2),
      (((queueMs ?? 0) / count) * 1000).toFixed(1),
      ((attemptMs ?? 0) * 1000).toFixed(0),
    ]);
  }
  printTable(
    'A dead endpoint with a backlog: each event with its session and delivery in memory',
    rows,
  );
}

async function measureDay(): Promise<void> {
  const rows = [['24 h of retries for 10,000 events', 'requests', 'seconds', 'us a request']];
  for (const endpoints of [1, 100, 1_000]) {
    const { requests, seconds } = await runProgram<{ requests: number; seconds: number }>(
      'webhooks/day',
      [String(endpoints)],
    );
    rows.push([
      `over ${endpoints} dead endpoint${endpoints === 1 ? '' : 's'}`,
      String(requests),
      seconds.toFixed(2),
      ((seconds / requests) * 1e6).toFixed(0),
    ]);
  }
  printTable('Retries while the clock is moved', rows);
}
