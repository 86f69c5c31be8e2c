/**
 * Measures several servers on one PostgreSQL database that waits for its disk: creates per second compared
 * with one server in the same run, and the distribution of CPU time. Servers with separate databases, which
 * need no locks between them, are the upper bound for any way of sharing. Inserting the same rows without
 * servers and locks shows the limit of PostgreSQL itself.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createControlClient } from '../mock-server/client.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../test/support/postgres.ts';
import { programPath, runProgram } from './program.ts';
import { readCpuUs, readTreeCpuUs } from './cpu.ts';
import type { LoadOrder, LoadReport } from './postgres/load.ts';
import { CLI, startOfAge, type Subject } from './service/servers.ts';
import { median, printTable } from './statistics.ts';

const ROUNDS = 3;
const IN_FLIGHT = 64;
const MILLISECONDS = 5_000;
const WARM_UP_MS = 1_500;
/** Size of the row that one create writes, in bytes. */
const ROW_BYTES = 2_000;

const load = (order: LoadOrder): Promise<LoadReport> =>
  runProgram('postgres/load', [JSON.stringify(order)]);

interface Setting {
  readonly servers: number;
  readonly accounts: number;
  /** True if all servers share one database, false if each has its own. */
  readonly isShared: boolean;
}

const SETTINGS: readonly Setting[] = [
  ...[1, 100].flatMap((accounts) =>
    [1, 2, 4].map((servers) => ({ servers, accounts, isShared: true })),
  ),
  ...[2, 4].map((servers) => ({ servers, accounts: 100, isShared: false })),
];

/** Rates are per second, CPU times (`…Us`) in microseconds per create. */
interface Measurement {
  readonly rate: number;
  readonly serversUs: number;
  readonly postgresUs: number;
  readonly loadUs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function run(): Promise<void> {
  if (!hasPostgres()) return;
  if (!existsSync(CLI))
    throw new Error('Cannot measure: mock-server/dist/ofage-mock.js was not built');
  const postgres = await startPostgres({ isDurable: true });
  try {
    await measureServers(postgres);
    await measureBareInserts(postgres);
  } finally {
    await postgres.stop();
  }
}

async function measureServers(postgres: TestPostgres): Promise<void> {
  const measured = SETTINGS.map((): Measurement[] => []);
  // The settings alternate, so that a slow moment of the machine affects all of them.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, setting] of SETTINGS.entries())
      measured[index]?.push(await measureSetting(postgres, setting));
  }
  const of = (index: number, read: (one: Measurement) => number): number =>
    median((measured[index] ?? []).map(read));
  printTable(`Creates: medians of ${ROUNDS} rounds, ${IN_FLIGHT} in flight, CPU time of each`, [
    ['', 'a second', 'of one', 'servers us', 'PostgreSQL us', 'load us', 'p50 ms', 'p99 ms'],
    ...SETTINGS.map(({ servers, accounts, isShared }, index) => {
      const rate = of(index, (one) => one.rate);
      const base = SETTINGS.findIndex((one) => one.servers === 1 && one.accounts === accounts);
      return [
        `${count(servers, 'server')}, ${count(accounts, 'account')}${isShared ? '' : ', separate databases'}`,
        rate.toFixed(0),
        (rate / of(base, (one) => one.rate)).toFixed(2),
        of(index, (one) => one.serversUs).toFixed(0),
        of(index, (one) => one.postgresUs).toFixed(0),
        of(index, (one) => one.loadUs).toFixed(0),
        of(index, (one) => one.p50Ms).toFixed(1),
        of(index, (one) => one.p99Ms).toFixed(1),
      ];
    }),
  ]);
}

async function measureSetting(
  postgres: TestPostgres,
  { servers, accounts, isShared }: Setting,
): Promise<Measurement> {
  const shared = await postgres.createDatabase();
  const subjects: Subject[] = [];
  try {
    while (subjects.length < servers) {
      const url = isShared ? shared : await postgres.createDatabase();
      subjects.push(await startOfAge('a server', ['--data', url]));
    }
    const ports = subjects.map(({ port }) => port);
    const order = { servers: await createAccounts(ports, accounts, isShared), inFlight: IN_FLIGHT };
    await load({ ...order, milliseconds: WARM_UP_MS });

    const serversCpu = (): number =>
      subjects.reduce((sum, { pid }) => sum + (readCpuUs(pid) ?? Number.NaN), 0);
    const postgresCpu = (): number => readTreeCpuUs(postgres.pid) ?? Number.NaN;
    const before = { servers: serversCpu(), postgres: postgresCpu() };
    const report = await load({ ...order, milliseconds: MILLISECONDS });
    return {
      rate: report.creates / report.seconds,
      serversUs: (serversCpu() - before.servers) / report.creates,
      postgresUs: (postgresCpu() - before.postgres) / report.creates,
      loadUs: report.cpuUs / report.creates,
      p50Ms: report.p50Ms,
      p99Ms: report.p99Ms,
    };
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
  }
}

/**
 * Creates accounts with rate limits that the load does not reach. Returns the secret keys to use with each
 * server.
 */
async function createAccounts(
  ports: readonly number[],
  accounts: number,
  isShared: boolean,
): Promise<LoadOrder['servers']> {
  const servers = ports.map((port) => ({ port, keys: [] as string[] }));
  for (let n = 0; n < accounts; n += 1) {
    const port = ports[isShared ? 0 : n % ports.length] ?? 0;
    const control = createControlClient({ baseUrl: `http://127.0.0.1:${port}` });
    const rateLimits = { create: 1_000_000, validate: 1_000_000 };
    const { id } = await control.createTenant({ rateLimits });
    const { value } = (await control.createKeyPair(id)).secret;
    for (const server of servers) if (isShared || server.port === port) server.keys.push(value);
  }
  return servers;
}

/** Measures PostgreSQL and its disk without locks between the transactions. */
async function measureBareInserts(postgres: TestPostgres): Promise<void> {
  const counts = [1, 2, 4];
  const measured = counts.map((): { rate: number; postgresUs: number }[] => []);
  const url = await postgres.createDatabase();
  await postgres.query(url, 'CREATE TABLE bare (seq bigserial PRIMARY KEY, body text NOT NULL)');
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, processes] of counts.entries()) {
      const before = readTreeCpuUs(postgres.pid) ?? Number.NaN;
      const stored = await insertBare(url, processes);
      const postgresUs = ((readTreeCpuUs(postgres.pid) ?? Number.NaN) - before) / stored;
      measured[index]?.push({ rate: (stored * 1000) / MILLISECONDS, postgresUs });
    }
  }
  const rate = (index: number): number => median((measured[index] ?? []).map((one) => one.rate));
  printTable('The same rows, each in a separate transaction, without servers and locks', [
    ['', 'a second', 'of one', 'PostgreSQL us'],
    ...counts.map((processes, index) => [
      `${count(processes, 'process', 'es')}, ${IN_FLIGHT / 2} connections`,
      rate(index).toFixed(0),
      (rate(index) / rate(0)).toFixed(2),
      median((measured[index] ?? []).map((one) => one.postgresUs)).toFixed(0),
    ]),
  ]);
}

async function insertBare(url: string, processes: number): Promise<number> {
  const order = JSON.stringify([url, IN_FLIGHT / 2 / processes, MILLISECONDS, ROW_BYTES]);
  const children = Array.from({ length: processes }, () =>
    fork(programPath('postgres/bare'), [order]),
  );
  await Promise.all(children.map((child) => once(child, 'message')));
  const counts = children.map((child) => once(child, 'message'));
  for (const child of children) child.send('go');
  return (await Promise.all(counts)).reduce((sum, [stored]) => sum + Number(stored), 0);
}

function count(number: number, noun: string, ending = 's'): string {
  return `${number} ${noun}${number === 1 ? '' : ending}`;
}
