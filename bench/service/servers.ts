import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Phase } from './load.ts';
import { toEnvironment } from './mockoon-environment.ts';
import { findFreePort } from '../../test/support/free-port.ts';

/** A server under load, and the requests that create, settle and validate sessions on it. */
export interface Subject {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** Time from its start until it is ready, in milliseconds. */
  readonly startMs: number;
  readonly create: Phase;
  readonly settle: Phase | null;
  readonly validate: Phase;
  stop(): Promise<void>;
}

const PEERS = ['@stoplight/prism-cli@5.16.0', '@mockoon/cli@9.9.0', 'json-server@0.17.4'];

export const CLI =
  process.env['OFAGE_BENCH_CLI'] ??
  fileURLToPath(new URL('../../mock-server/dist/ofage-mock.js', import.meta.url));
const RAW = fileURLToPath(new URL('raw-server.ts', import.meta.url));

export function installPeers(folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  execFileSync('npm', ['install', ...flags, ...PEERS], { cwd: folder, stdio: [...stdio] });
}

const BODY = JSON.stringify({
  returnUrl: 'http://localhost/return?order=1',
  externalUserId: 'customer-1',
  challengeAge: 30,
});

const base: Phase = {
  method: 'POST',
  path: '/api/v1/sessions/create',
  body: BODY,
  headers: { 'content-type': 'application/json' },
  takesIds: false,
  collectsIds: true,
  most: 20_000,
  mostMs: 1_500,
  status: 201,
};

/** Returns the phases of the service and of the handwritten server. */
function phasesFor(secretKey: string): Pick<Subject, 'create' | 'settle' | 'validate'> {
  const withKey = { ...base.headers, authorization: `Bearer ${secretKey}` };
  const create = { ...base, headers: withKey };
  const taking = { ...base, takesIds: true, collectsIds: false, status: 200, mostMs: 4_000 };
  return {
    create,
    settle: {
      ...taking,
      path: '/control/v1/sessions/{id}/outcome',
      body: '{"outcome":"verified"}',
      most: 8_000,
    },
    validate: {
      ...taking,
      headers: withKey,
      path: '/api/v1/sessions/validate',
      body: '{"sessionId":"{id}"}',
      most: 8_000,
    },
  };
}

export async function startRaw(): Promise<Subject> {
  const child = await spawnUntilLine(process.execPath, [RAW]);
  const { port, secretKey } = JSON.parse(child.line) as { port: number; secretKey: string };
  return { name: 'node:http by hand', ...child, port, ...phasesFor(secretKey) };
}

export async function startOfAge(name: string, args: readonly string[]): Promise<Subject> {
  const own = ['--port', '0', '--json', ...args];
  const child = await spawnUntilLine(process.execPath, [CLI, ...own]);
  const ready = JSON.parse(child.line) as Record<'controlBase' | 'tenantId' | 'secretKey', string>;
  const tenant = `${ready.controlBase}/tenants/${ready.tenantId}`;
  const answer = await fetch(tenant, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"rateLimits":{"create":1000000,"validate":1000000}}',
  });
  if (!answer.ok) throw new Error(`Cannot raise the limits: ${await answer.text()}`);
  const port = Number(new URL(ready.controlBase).port);
  return { name, ...child, port, ...phasesFor(ready.secretKey) };
}

/** Starts Prism, which responds with the examples of the OpenAPI document and keeps no sessions. */
export async function startPrism(folder: string, openApi: string): Promise<Subject> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, openApi);
  const port = await findFreePort();
  const bin = join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js');
  // Runs one process, like the other servers, and writes no log line per request.
  const args = [bin, 'mock', '-p', String(port), '-m', 'false', '-v', 'error', file];
  const child = await spawnUntilAnswer(process.execPath, args, port);
  const headers = { ...base.headers, authorization: 'Bearer sk_1' };
  const stateless = { ...base, headers, collectsIds: false };
  // Prism ignores the server URL of the document, so the requests use the paths as the document has them.
  const prefix = isPrefixed(openApi) ? '/api/v1' : '';
  return {
    name: 'prism',
    ...child,
    port,
    create: { ...stateless, path: `${prefix}/sessions/create` },
    settle: null,
    validate: {
      ...stateless,
      path: `${prefix}/sessions/validate`,
      body: '{"sessionId":"3f2b8c1e-6d4a-4b7e-9c15-8a2d7e0f4b36"}',
      status: 200,
    },
  };
}

function isPrefixed(openApi: string): boolean {
  const { paths } = JSON.parse(openApi) as { paths: object };
  return Object.keys(paths).some((path) => path.startsWith('/api/v1/'));
}

/** Starts Mockoon, which responds to two routes from templates and keeps no sessions. */
export async function startMockoon(folder: string): Promise<Subject> {
  const port = await findFreePort();
  const file = join(folder, 'mockoon.json');
  writeFileSync(file, JSON.stringify(toEnvironment(port)));
  const bin = join(folder, 'node_modules/@mockoon/cli/bin/run.js');
  const args = [bin, 'start', '--data', file, '--disable-log-to-file', '--repair'];
  const child = await spawnUntilAnswer(process.execPath, args, port);
  const stateless = { ...base, collectsIds: false };
  return {
    name: 'mockoon',
    ...child,
    port,
    create: stateless,
    settle: null,
    validate: {
      ...stateless,
      path: '/api/v1/sessions/validate',
      body: '{"sessionId":"1"}',
      status: 200,
    },
  };
}

/** Starts json-server, which stores posted data in a JSON file and checks nothing. */
export async function startJsonServer(folder: string): Promise<Subject> {
  const port = await findFreePort();
  const file = join(folder, 'db.json');
  writeFileSync(file, '{"sessions":[]}');
  const bin = join(folder, 'node_modules/json-server/lib/cli/bin.js');
  const args = [bin, '--port', String(port), '--host', '127.0.0.1', '--quiet', file];
  const child = await spawnUntilAnswer(process.execPath, args, port);
  return {
    name: 'json-server',
    ...child,
    port,
    // Each insert rewrites the file, so more inserts would only make it slower.
    create: { ...base, path: '/sessions', most: 400 },
    settle: null,
    validate: {
      ...base,
      method: 'PATCH',
      path: '/sessions/{id}',
      body: '{"validated":true}',
      takesIds: true,
      collectsIds: false,
      most: 400,
      status: 200,
    },
  };
}

interface Child {
  readonly pid: number;
  readonly startMs: number;
  stop(): Promise<void>;
}

function start(command: string, args: readonly string[], pipesOut: boolean) {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', pipesOut ? 'pipe' : 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', NODE_NO_WARNINGS: '1' },
  });
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { child, startedAt, stop, pid: child.pid ?? 0 };
}

async function spawnUntilLine(
  command: string,
  args: readonly string[],
): Promise<Child & { line: string }> {
  const { child, startedAt, stop, pid } = start(command, args, true);
  let text = '';
  for await (const chunk of child
    .stdout!.setEncoding('utf8')
    .iterator({ destroyOnReturn: false })) {
    text += chunk as string;
    if (text.includes('\n')) break;
  }
  if (!text.includes('\n')) throw new Error(`Cannot start ${args.join(' ')}`);
  child.stdout!.resume();
  const line = text.slice(0, text.indexOf('\n'));
  return { pid, stop, line, startMs: performance.now() - startedAt };
}

async function spawnUntilAnswer(
  command: string,
  args: readonly string[],
  port: number,
): Promise<Child> {
  const { startedAt, stop, pid, child } = start(command, args, false);
  while (child.exitCode === null && performance.now() - startedAt < 30_000) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (answer) return { pid, stop, startMs: performance.now() - startedAt };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await stop();
  throw new Error(`Cannot start ${args.join(' ')}`);
}
