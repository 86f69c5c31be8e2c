/** `npm start` and the processes that the scripts run: their exit codes and their signals. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProject, run, write, writeProgram } from './a-project.ts';

const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A server that ends a moment after a signal. */
const SERVER = `for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => setTimeout(() => { console.log('saved'); process.exit(0); }, 100));
setInterval(() => {}, 1000);`;

/**
 * Makes the files that a running mock needs, in place of npm. The parts of the build run at once, and two
 * copies with `cp` would fail if both found no file.
 */
const MAKES = `mkdir -p dist mock-server/dist/pages; cat server.cjs > mock-server/dist/ofage-mock.js
for f in sdk.min.js server.js; do : > dist/$f; done
for f in demo-backend.js reporter.js pages/index.html; do : > mock-server/dist/$f; done`;

function aProject(server: string, npm = MAKES): string {
  const folder = createProject();
  write(folder, 'server.cjs', `${server}\nconsole.log('server', ...process.argv.slice(2));`);
  writeProgram(folder, 'browsers/npm', npm);
  return folder;
}

/** Starts a program in a project and waits until it has printed a text. */
async function startUntil(
  folder: string,
  text: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
) {
  const child: ChildProcess = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}/browsers:${process.env['PATH']}`, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { text: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.text += chunk.toString()));
  while (!output.text.includes(text)) await once(child.stdout!, 'data');
  return { child, output };
}

const RUNNING = 'server start --demo --port 5000';

const startProject = (server: string) =>
  startUntil(aProject(server), RUNNING, process.execPath, ['scripts/start.mjs', '--port', '5000']);

describe('npm start', () => {
  it.each(STOPS)('builds, starts the demo and exits with 0 after %s', async (signal) => {
    const { child, output } = await startProject(SERVER);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output.text).toContain('saved');
  });

  it('lets the server save its state when npm forwards the Ctrl-C of the terminal', async () => {
    const { child, output } = await startProject(SERVER);
    // Two different signals, because the system may join two of the same kind.
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output.text).toContain('saved');
  });

  it('ends a server that ignores the first signal at a later one', async () => {
    const { child } = await startProject(`for (const signal of ['SIGINT', 'SIGTERM'])
      process.on(signal, () => {});
      setInterval(() => {}, 1000);`);
    const repeating = setInterval(() => child.kill('SIGINT'), 300);
    onTestFinished(() => clearInterval(repeating));
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('ends when npm stops, which tells only its shell', async () => {
    // The second command keeps the shell, as some shells do for a single one.
    const script = `"${process.execPath}" scripts/start.mjs --port 5000; exit`;
    const env = { npm_lifecycle_event: 'start' };
    const { child } = await startUntil(aProject(SERVER), RUNNING, '/bin/sh', ['-c', script], env);
    child.kill('SIGTERM');
    // The output is closed when the last process that could write to it has ended.
    await once(child, 'close');
  });

  it.each([
    ['ends well', 'process.exit(0)', 0, ''],
    ['ends with an error', 'process.exit(7)', 7, ''],
    [
      'is killed by another program',
      "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)",
      1,
      'The mock server was ended by SIGKILL\n',
    ],
    ['ends as after a signal that nobody sent', 'process.exit(130)', 130, ''],
  ])('reports how its server %s', (_, server, code, stderr) => {
    const started = run(aProject(server), process.execPath, 'scripts/start.mjs');
    expect(started).toMatchObject({ code, stderr });
  });

  it.each(['build:mock', 'build:sdk', 'build:pages'])(
    'starts no server if the part %s of the build fails',
    (part) => {
      const folder = aProject('', `${MAKES}\n[ "$3" != ${part} ] || exit 3`);
      const { code, stdout, stderr } = run(folder, process.execPath, 'scripts/start.mjs');
      expect(stderr).toBe(`Cannot build: npm run ${part} ended with code 3\n`);
      expect(stdout).not.toContain('server start');
      expect(code).toBe(3);
    },
  );
});

describe('the build is done again', () => {
  const SERVED = ['sdk.min.js', 'server.js'].map((name) => `dist/${name}`);
  const OF_MOCK = ['ofage-mock.js', 'demo-backend.js', 'reporter.js', 'pages/index.html'];
  const RESULTS = [...SERVED, ...OF_MOCK.map((name) => `mock-server/dist/${name}`)];

  /** A project with results of the build that are newer than all its sources. */
  async function built() {
    const folder = createProject();
    for (const path of RESULTS) write(folder, path, '');
    const setTime = (path: string, year: number): void =>
      utimesSync(join(folder, path), new Date(year, 0), new Date(year, 0));
    for (const path of RESULTS) setTime(path, 2100);
    const { isServedBuilt } = await import(join(folder, 'scripts/build.mjs'));
    return { folder, setTime, isServedBuilt };
  }

  it.each([
    'src/urls.ts',
    'src/server/client.ts',
    'mock-server/store/store.ts',
    'playground/shop/state.ts',
    'docs/errors.md',
    'scripts/build.mjs',
    'package.json',
    'package-lock.json',
    'rollup.config.mjs',
    'tsconfig.json',
  ])('if %s is newer', async (path) => {
    const { folder, setTime, isServedBuilt } = await built();
    expect(isServedBuilt()).toBe(true);
    write(folder, path, '');
    setTime(path, 2101);
    expect(isServedBuilt()).toBe(false);
  });

  it.each(RESULTS)('if %s is missing', async (path) => {
    const { folder, isServedBuilt } = await built();
    rmSync(join(folder, path));
    expect(isServedBuilt()).toBe(false);
  });

  it('if a source was deleted, which changes only its folder', async () => {
    const { folder, setTime, isServedBuilt } = await built();
    write(folder, 'src/urls.ts', '');
    expect(isServedBuilt()).toBe(true);
    rmSync(join(folder, 'src/urls.ts'));
    setTime('src', 2101);
    expect(isServedBuilt()).toBe(false);
  });

  it('but not if a guide or another result is newer', async () => {
    const { folder, setTime, isServedBuilt } = await built();
    for (const path of ['docs/guides/popup.md', 'mock-server/dist/client.js']) {
      write(folder, path, '');
      setTime(path, 2101);
    }
    setTime('mock-server/dist', 2101);
    expect(isServedBuilt()).toBe(true);
  });
});

describe('run()', () => {
  /** Runs a program by `run()` in a process of its own, which prints its result and then waits. */
  const startRun = (command: string, until: string) =>
    startUntil(createProject(), until, process.execPath, [
      '--input-type=module',
      '-e',
      `const { run } = await import('./scripts/run.mjs');
      console.log('ended with', await run('/bin/sh', ['-c', '${command}']));
      setInterval(() => {}, 1000);`,
    ]);

  it.each(STOPS)(
    'passes %s on to the child, and then ends by it like any program',
    async (signal) => {
      const { child, output } = await startRun(
        'trap "exit 7" INT TERM HUP; echo ready; while :; do sleep 0.1; done',
        'ready',
      );
      child.kill(signal);
      while (!output.text.includes('ended with 7')) await once(child.stdout!, 'data');
      child.kill(signal);
      expect(await once(child, 'close')).toEqual([null, signal]);
    },
  );

  it.each([
    ['exit 0', 0],
    ['exit 3', 3],
    ['kill -9 $$', 137],
    ['kill -15 $$', 143],
  ])('returns the exit code of a shell after: %s', async (command, code) => {
    await startRun(command, `ended with ${code}\n`);
  });

  it('says which program cannot be run, as a shell does', () => {
    const code = `const { run } = await import('./scripts/run.mjs');
      process.exit(await run('no-such-program', []));`;
    const ended = run(createProject(), process.execPath, '--input-type=module', '-e', code);
    expect(ended.stderr).toMatch(/^Cannot run no-such-program: .*ENOENT/);
    expect(ended.code).toBe(127);
  });
});
