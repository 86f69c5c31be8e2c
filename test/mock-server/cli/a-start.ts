import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { spawnMock, type MockProcess } from '../../support/mock-process.ts';

export let cwd: string;
export let running: MockProcess[];

export function run(args: readonly string[], env?: Record<string, string>): MockProcess {
  const mock = spawnMock(args, { cwd, ...(env && { env }) });
  running.push(mock);
  return mock;
}
export const start = (...args: string[]) => run(['--port', '0', '--no-demo', ...args]);

/** Creates a folder for each test, and ends the processes that the test started. */
export function useFolder(): void {
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'ofage-cli-'));
    running = [];
  });
  afterEach(async () => {
    for (const { child, ended } of running) {
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(cwd, { recursive: true });
  });
}
