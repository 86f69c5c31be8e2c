import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The path of the program. @default the Node of this process */
  readonly node?: string;
  readonly timeoutMs?: number;
}

export interface RunningProgram {
  /** Everything that it has printed. */
  output(): string;
  /** Throws if the program has ended. */
  assertRunning(): void;
  /** Ends the program and the programs that it started. */
  stop(): Promise<void>;
}

/** Runs a program in a folder and returns its output. Rejects with the output if the exit code is not 0. */
export function runProgram(
  cwd: string,
  args: readonly string[],
  { env = {}, node = process.execPath, timeoutMs = 120_000 }: RunOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      node,
      args,
      { cwd, env: { ...customerEnv(), ...env }, timeout: timeoutMs, maxBuffer: 1e8 },
      (error, stdout, stderr) => {
        const output = stripVTControlCharacters(`${stdout}${stderr}`);
        if (error === null) resolve(output);
        else reject(new Error(`${args.join(' ')} ended with code ${error.code}\n${output}`));
      },
    );
  });
}

export function startProgram(
  cwd: string,
  args: readonly string[],
  { env = {}, node = process.execPath }: RunOptions = {},
): RunningProgram {
  // A separate process group, so that the programs that it starts end with it.
  const child = spawn(node, args, {
    cwd,
    env: { ...customerEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const output = (): string => stripVTControlCharacters(printed);
  return {
    output,
    assertRunning() {
      if (hasEnded(child)) {
        throw new Error(`${args.join(' ')} ended with code ${child.exitCode}\n${output()}`);
      }
    },
    async stop() {
      if (hasEnded(child)) return;
      const ended = once(child, 'exit');
      process.kill(-child.pid!, 'SIGKILL');
      await ended;
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/**
 * Returns the environment without the variables that this project's own tools set. No tool may report to its
 * makers or look for updates, because the cells use no address outside this machine.
 */
function customerEnv(): NodeJS.ProcessEnv {
  const own = /^(npm_|VITEST|JEST|NODE_OPTIONS|NODE_ENV|TEST|MODE|DEV|PROD|SSR|BASE_URL|OFAGE)/;
  const env = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(env), ...QUIET };
}

const QUIET = {
  NO_COLOR: '1',
  DO_NOT_TRACK: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  DENO_NO_UPDATE_CHECK: '1',
};
