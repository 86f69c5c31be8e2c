import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStore } from '../../../mock-server/store/store.ts';
import { openSqliteLog } from '../../../mock-server/store/logs/sqlite.ts';
import { chooseSeed } from '../../support/choose-seed.ts';
import { createDice, type Dice } from '../delivery/simulation/dice.ts';

/** A kill takes about 0.15 s. Raise this number for a longer test. */
const KILLS = 20;

const CHILD = fileURLToPath(new URL('kill-child.ts', import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-kill-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it(
  `the SQLite log loses no acknowledged operation in ${KILLS} kills, and leaves none half done`,
  async () => {
    const file = join(folder, 'state.db');
    const acknowledged = new Map<string, number>();
    const dice = createDice(chooseSeed());
    let total = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const lines = await runUntilKilled(file, dice);
      total += lines.length;
      for (const line of lines) {
        const [row, n] = line.split(' ') as [string, string];
        expect(Number(n), `${row} continues from its last count`).toBe(
          (acknowledged.get(row) ?? 0) + 1,
        );
        acknowledged.set(row, Number(n));
      }

      const found = await readCounts(file);
      for (const [row, n] of acknowledged) {
        // A count may be durable although it was not printed before the kill.
        expect(found.get(row), row).toBeGreaterThanOrEqual(n);
        expect(found.get(`${row}-twin`), `${row} and its twin`).toBe(found.get(row));
        acknowledged.set(row, found.get(row)!);
      }
    }
    expect(total).toBeGreaterThan(KILLS * 20);
    expect(readdirSync(folder)).toEqual(['state.db']);
  },
  KILLS * 3_000,
);

/** Runs the child, kills it at a random moment after its first 20 lines, and returns its complete lines. */
async function runUntilKilled(file: string, dice: Dice): Promise<string[]> {
  const seed = String(dice.below(1_000_000));
  const child = spawn(process.execPath, [CHILD, file, seed], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let timer: NodeJS.Timeout | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    // Even a slow machine has some durable counts by then.
    if (output.split('\n').length > 21)
      timer ??= setTimeout(() => child.kill('SIGKILL'), dice.below(60));
  });
  const signal = await new Promise((resolve) => {
    child.on('close', (_code, by) => resolve(by));
  });
  expect(signal).toBe('SIGKILL');
  return output.split('\n').slice(0, -1);
}

async function readCounts(file: string): Promise<Map<string, number>> {
  const store = createStore(openSqliteLog(file));
  const counts = await store.transact(
    (db) => new Map(Array.from(db.all('settings'), ({ id, value }) => [id, parseInt(value, 10)])),
  );
  await store.close();
  return counts;
}
