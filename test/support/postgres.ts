import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Client } from 'pg';
import { findFreePort } from './free-port.ts';

/** A PostgreSQL server for one test file, with its data in a temporary folder. */
export interface TestPostgres {
  readonly port: number;
  /** The process whose children serve the connections. */
  readonly pid: number;
  /** The folder of its socket, for addresses without TCP. */
  readonly folder: string;
  /** Returns the address of a database, which need not exist. */
  url(database: string): string;
  /** Creates an empty database and returns its address. */
  createDatabase(options?: string): Promise<string>;
  /** Runs statements in a database and returns the rows of the last one. */
  query(url: string, statements: string): Promise<Record<string, unknown>[]>;
  /** Stops the server and starts it again on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root, so root runs it as an unprivileged user. */
const AS = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const USER = 'ofage';

/** Tells whether PostgreSQL is installed. If not, prints a warning that tests are skipped. */
export function hasPostgres(): boolean {
  if (findPrograms()) return true;
  console.warn(
    'Skipped the tests on PostgreSQL: initdb was not found on the PATH or in /usr/lib/postgresql',
  );
  return false;
}

export interface TestPostgresOptions {
  /**
   * True if every commit waits for the disk, as on a server in production. Tests do not need it.
   * @default false
   */
  readonly isDurable?: boolean;
}

export async function startPostgres({
  isDurable = false,
}: TestPostgresOptions = {}): Promise<TestPostgres> {
  const programs = findPrograms();
  if (!programs) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'ofage-pg-'));
  if (AS.uid !== undefined) chownSync(folder, AS.uid, AS.gid);
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  execFileSync(join(programs, 'initdb'), init, { ...AS, cwd: folder, stdio: 'pipe' });
  const port = await findFreePort();
  const url = (database: string): string => `postgres://${USER}@127.0.0.1:${port}/${database}`;

  const start = (): Promise<ChildProcess> => run(programs, folder, data, port, isDurable);
  let server = await start();
  let databases = 0;
  const stop = async (): Promise<void> => {
    // SIGINT requests a fast shutdown, which ends the sessions and exits cleanly.
    server.kill('SIGINT');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };
  return {
    port,
    get pid() {
      return server.pid ?? 0;
    },
    folder,
    url,
    async createDatabase(options = '') {
      databases += 1;
      const name = `test_${databases}`;
      await query(url('postgres'), `CREATE DATABASE ${name} ${options}`);
      return url(name);
    },
    query,
    async restart() {
      await stop();
      server = await start();
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  return (
    folders
      .map((folder) => join(folder, 'initdb'))
      .filter((program) => existsSync(program))
      // An entry on the PATH may be a link to a single program.
      .map((program) => dirname(realpathSync(program)))
      .find((folder) => existsSync(join(folder, 'postgres')))
  );
}

/** Starts the server as a child process, so that its id is known, and waits until it is ready. */
async function run(
  programs: string,
  folder: string,
  data: string,
  port: number,
  isDurable: boolean,
): Promise<ChildProcess> {
  const settings = [
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'listen_addresses=127.0.0.1',
    // Test data need not survive a crash of the machine.
    ...(isDurable ? [] : ['fsync=off', 'full_page_writes=off']),
    'shared_buffers=16MB',
    'max_connections=40',
    'lc_messages=C',
  ];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...AS, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  while (!output.includes('ready to accept connections')) {
    await Promise.race([once(server.stderr, 'data'), once(server, 'exit')]);
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${output}`);
  }
  return server;
}

async function query(url: string, statements: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    const result: unknown = await client.query(statements);
    const last = Array.isArray(result) ? result.at(-1) : result;
    return (last as { rows: Record<string, unknown>[] }).rows;
  } finally {
    await client.end();
  }
}
