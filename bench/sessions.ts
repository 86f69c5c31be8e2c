/**
 * Measures the CPU time of creating, expiring and dropping a session, the memory of a pending one, and the
 * CPU time of one call that lists ten sessions. None should grow with the number of sessions.
 */
import { freemem } from 'node:os';
import { runProgram } from './program.ts';
import { printTable } from './statistics.ts';

/** Memory to reserve per session. A million sessions with their events take about 3 GB. */
const BYTES_EACH = 5_000;
const HEAP_MB = 8_000;

export async function run(): Promise<void> {
  await measure('created over ten minutes', 600_000);
  // With a frozen clock, a test creates all its sessions in one instant.
  await measure('created in one instant', 0);
}

async function measure(how: string, spreadMs: number): Promise<void> {
  const rows = [
    ['sessions', 'bytes', 'create us', 'list ms', 'of an account ms', 'expire us', 'drop us'],
  ];
  for (const count of [1_000, 10_000, 100_000, 1_000_000]) {
    if (count * BYTES_EACH > freemem()) {
      rows.push([String(count), 'not enough memory', '', '', '', '', '']);
      continue;
    }
    const life = await runProgram<Record<string, number>>(
      'sessions/life',
      [String(count), String(spreadMs)],
      { nodeOptions: ['--expose-gc', `--max-old-space-size=${HEAP_MB}`] },
    );
    const each = (name: string): string => (((life[name] ?? NaN) * 1000) / count).toFixed(1);
    const call = (name: string): string => (life[name] ?? NaN).toFixed(3);
    rows.push([
      String(count),
      ((life['createdBytes'] ?? NaN) / count).toFixed(0),
      each('createMs'),
      call('listMs'),
      call('listOfAccountMs'),
      each('expireMs'),
      each('dropMs'),
    ]);
  }
  printTable(`CPU time of each of many sessions, ${how}, and of a list of ten`, rows);
}
