import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  findPort,
  startDemoBackend,
  toBackendPort,
} from '../../../mock-server/cli/demo-backend.ts';
import { aFolder } from '../../support/folder.ts';
import { listen } from '../../support/listen.ts';

let folder: string;
let errors: string[];
const onErrorLine = (line: string): void => void errors.push(line);
beforeEach(() => {
  folder = aFolder();
  errors = [];
});

/** Writes a server that behaves like the shop's: it prints when it listens and exits when stdin closes. */
function writeServer(words = "console.log('listening')"): string {
  const file = join(folder, 'server.mjs');
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs';
     writeFileSync(${JSON.stringify(join(folder, 'seen.json'))}, JSON.stringify({
       pid: process.pid, port: process.env.PORT, key: process.env.OFAGE_SECRET_KEY }));
     process.stdin.on('end', () => {
       writeFileSync(${JSON.stringify(join(folder, 'left'))}, '');
       process.exit();
     }).resume();
     ${words};`,
  );
  return file;
}
const readSettings = () =>
  JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8')) as {
    pid: number;
    port: string;
    key: string;
  };

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilExited(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('startDemoBackend()', () => {
  it('waits until the server listens, passes it the settings, and stops it on request', async () => {
    const env = { OFAGE_SECRET_KEY: 'sk_1' };
    const shop = await startDemoBackend({ file: writeServer(), port: 4999, env, onErrorLine });
    expect(readSettings()).toMatchObject({ port: '4999', key: 'sk_1' });
    expect(isRunning(readSettings().pid)).toBe(true);
    await shop.stop();
    expect(isRunning(readSettings().pid)).toBe(false);
    // The server exited on request. Otherwise it would have been killed.
    expect(existsSync(join(folder, 'left'))).toBe(true);
    await shop.ended;
  });

  it('passes on each line that the server writes to standard error', async () => {
    const words = "console.error('first\\n\\u001b[31msecond'); console.log('listening')";
    const shop = await startDemoBackend({
      file: writeServer(words),
      port: 1,
      env: {},
      onErrorLine,
    });
    await shop.stop();
    expect(errors).toEqual(['first', '\u001b[31msecond']);
  });

  it('rejects if the server exits before it listens', async () => {
    const file = writeServer('process.exit(1)');
    await expect(startDemoBackend({ file, port: 1, env: {}, onErrorLine })).rejects.toThrow(
      "Cannot start the demo shop's server",
    );
  });

  it('stops within a second if the server does not exit', async () => {
    const keepsRunning = "process.stdin.removeAllListeners('end'); setInterval(() => {}, 1_000)";
    const file = writeServer(`${keepsRunning}; console.log('listening')`);
    const shop = await startDemoBackend({ file, port: 1, env: {}, onErrorLine });
    const startedAtMs = performance.now();
    await shop.stop();
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
    expect(isRunning(readSettings().pid)).toBe(false);
  });

  it('leaves no server running when the parent process is killed', async () => {
    const module = new URL('../../../mock-server/cli/demo-backend.ts', import.meta.url);
    const parent = join(folder, 'parent.mjs');
    writeFileSync(
      parent,
      `import { startDemoBackend } from ${JSON.stringify(fileURLToPath(module))};
       await startDemoBackend({ file: ${JSON.stringify(writeServer())}, port: 1, env: {}, onErrorLine() {} });
       console.log('started');`,
    );
    const child = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const { pid } = readSettings();
    expect(isRunning(pid)).toBe(true);
    child.kill('SIGKILL');
    await untilExited(pid);
  });
});

describe('findPort()', () => {
  it('returns the preferred port if it is free, otherwise a different one', async () => {
    const free = await findPort(0);
    expect(await findPort(free)).toBe(free);
    const port = await listen(createServer());
    expect(await findPort(port)).not.toBe(port);
  });
});

describe('toBackendPort()', () => {
  it.each<[port: number, publicPort: number | undefined, expected: number]>([
    [4010, undefined, 4011],
    [4010, 4011, 4012],
    [0, 4011, 0],
    [65_534, undefined, 65_535],
    // Any free port, because the next ones do not exist or are the mock's own.
    [65_534, 65_535, 0],
    [65_535, undefined, 0],
    [65_535, 4011, 0],
  ])('chooses beside %j and %j the port %j', (port, publicPort, expected) => {
    expect(toBackendPort({ port, publicPort })).toBe(expected);
  });
});
