import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The line that `ofage-mock --json` prints when it is ready. */
export interface ReadyLine {
  apiBase: string;
  controlBase: string;
  shop: string;
  console: string;
  tenantId: string;
  publishableKey: string;
  secretKey: string;
  webhookSecret: string | null;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A separate `ofage-mock` process, run from source, as a terminal would start it. */
export interface MockProcess {
  readonly child: ChildProcess;
  /** Resolves with the first line on stdout. Rejects if the process exits before. */
  firstLine(): Promise<string>;
  ready(): Promise<ReadyLine>;
  readonly ended: Promise<Ended>;
  /** Sends a signal and waits until the process exits. */
  kill(signal: NodeJS.Signals): Promise<Ended>;
}

const MAIN = fileURLToPath(new URL('../../mock-server/cli/main.ts', import.meta.url));

export function spawnMock(
  args: readonly string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): MockProcess {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { ...process.env, NODE_NO_WARNINGS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code, signal]): Ended => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stdout,
    stderr,
  }));
  const firstLine = async (): Promise<string> => {
    while (!stdout.includes('\n')) {
      const gone = await Promise.race([ended, once(child.stdout, 'data').then(() => null)]);
      if (gone && !stdout.includes('\n')) throw new Error(`ended with ${gone.code}: ${stderr}`);
    }
    return stdout.slice(0, stdout.indexOf('\n'));
  };
  return {
    child,
    firstLine,
    ready: async () => JSON.parse(await firstLine()) as ReadyLine,
    ended,
    kill: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
