import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** The demo backend, the server of the demo shop, which runs as a child process. */
export interface DemoBackend {
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

interface DemoBackendOptions {
  /** The server's program file. */
  readonly file: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
  /** Called with each line of the server's standard error. */
  readonly onErrorLine: (line: string) => void;
}

/**
 * The address that the demo backend listens on. Requests go to this address and not to `localhost`, which
 * may be ::1, where another program can listen on the same port.
 */
export const DEMO_BACKEND_HOST = '127.0.0.1';

const START_MS = 10_000;

/** Time for the server to exit before it is killed. It keeps nothing that could be lost. */
const STOP_MS = 250;

/**
 * Starts the demo backend and waits until it listens. The server ends when its stdin closes. Only
 * this process holds the other end, so the server ends even if this process is killed.
 * @throws {Error} if the server ends or times out before it listens
 */
export async function startDemoBackend(options: DemoBackendOptions): Promise<DemoBackend> {
  const child = spawn(process.execPath, [options.file], {
    env: { ...process.env, ...options.env, PORT: String(options.port) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Not inherited, because what shoppers and webhooks send may be a part of an error.
  createInterface({ input: child.stderr }).on('line', options.onErrorLine);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  // Ignores errors on the pipe, because the child may have exited. If there were no listener, they would be
  // uncaught exceptions.
  child.stdin.on('error', () => {});
  const stop = async (): Promise<void> => {
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(timer);
  };

  const isListening = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), START_MS);
    const settle = (value: boolean): void => {
      clearTimeout(timer);
      resolve(value);
    };
    // The first output means that the server listens. Later output is read and dropped, so that a full pipe
    // never blocks the child process.
    child.stdout.once('data', () => settle(true)).resume();
    void ended.then(() => settle(false));
  });
  if (isListening) return { ended, stop };
  await stop();
  throw new Error("Cannot start the demo shop's server: it did not start listening");
}

const MAX_PORT = 65_535;

/**
 * Returns the port that the demo backend should use, which is none of the mock's own ports. 0 chooses a free
 * one.
 */
export function toBackendPort({
  port,
  publicPort,
}: {
  readonly port: number;
  readonly publicPort?: number | undefined;
}): number {
  if (port === 0) return 0;
  return [port + 1, port + 2].find((next) => next !== publicPort && next <= MAX_PORT) ?? 0;
}

/** Returns the preferred port, or a free one if it is in use. */
export async function findPort(preferred: number): Promise<number> {
  return (await bindOnce(preferred)) ?? (await bindOnce(0)) ?? 0;
}

/**
 * Binds a port for a moment, or any free port if it is 0. Returns the bound port, or null if it cannot be
 * bound.
 */
function bindOnce(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, DEMO_BACKEND_HOST, () => {
      const bound = (server.address() as AddressInfo).port;
      server.close(() => resolve(bound));
    });
  });
}
