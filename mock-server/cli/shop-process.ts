import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';

/** The demo shop's own server, running beside us. */
export interface ShopProcess {
  /** Resolves when it has ended, however that came about. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface ShopProcessOptions {
  /** Its program. */
  readonly file: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
}

const START_MS = 10_000;
const STOP_MS = 2_000;

/**
 * Starts the demo shop's server and waits until it listens. It watches its stdin, whose other end is ours
 * alone, so it ends even when this process is killed.
 * @throws {Error} when it ends, or says nothing, before it listens. Its own words are on stderr.
 */
export async function startShopProcess(options: ShopProcessOptions): Promise<ShopProcess> {
  const child = spawn(process.execPath, [options.file], {
    env: { ...process.env, ...options.env, PORT: String(options.port) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  // Writing to a child that has exited is not an error.
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
    // Its first words say that it listens; what it prints later is read, so that it never has to wait.
    child.stdout.once('data', () => settle(true)).resume();
    void ended.then(() => settle(false));
  });
  if (isListening) return { ended, stop };
  await stop();
  throw new Error("Cannot start the demo shop's server: it did not come to listen");
}

/** The port that was wished for, or a free one when it is taken. */
export async function findPort(wished: number): Promise<number> {
  return (await bindOnce(wished)) ?? (await bindOnce(0)) ?? 0;
}

/** The port that could be bound for a moment, 0 meaning any; null when that failed. */
function bindOnce(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(Math.min(port, 65_535), '127.0.0.1', () => {
      const bound = (server.address() as AddressInfo).port;
      server.close(() => resolve(bound));
    });
  });
}
