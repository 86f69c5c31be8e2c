import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeSandbox, pretendInstalled, write } from './sandbox.ts';

/** A fake mock server that prints its arguments and counts its signals. */
const SERVER = `
let signals = 0;
for (const name of ['SIGINT', 'SIGTERM']) {
  process.on(name, () => {
    console.log('stopping', name, ++signals);
    setTimeout(() => { console.log('stopped cleanly'); process.exit(0); }, 150);
  });
}
if (process.argv.includes('--fail')) process.exit(3);
console.log('server', ...process.argv.slice(2));
setInterval(() => {}, 1000);
`;

const SCRIPTS = {
  build: 'node build.cjs all',
  'build:sdk': 'node build.cjs sdk',
  'build:mock': 'node build.cjs mock',
  'build:pages': 'node build.cjs pages',
};

function makeProject(server = SERVER): string {
  const folder = makeSandbox({
    'package.json': { scripts: SCRIPTS },
    'build.cjs': `const fs = require('fs'); console.log('building', process.argv[2]);
      const make = (path) => {
        fs.mkdirSync(require('path').dirname(path), { recursive: true });
        fs.writeFileSync(path, '');
      };
      const builds = (part) => [part, 'all'].includes(process.argv[2]);
      if (builds('pages')) make('dist/pages/index.html');
      if (builds('sdk')) for (const name of ['sdk.min.js', 'server.js']) make('dist/' + name);
      if (builds('mock')) {
        for (const name of ['merchant-backend.js', 'conformance.cjs']) make('dist/' + name);
        fs.copyFileSync('server.cjs', 'dist/ofage-mock.js');
      }
      if (process.argv[2] === 'all') {
        import('./scripts/build.mjs').then(({ RESULTS }) => {
          for (const path of RESULTS) if (!fs.existsSync(path)) make(path);
        });
      }`,
    'server.cjs': server,
    'src/index.ts': '',
    'mock-server/index.ts': '',
  });
  pretendInstalled(folder);
  return folder;
}

const projectScripts = (): Record<string, string> => {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> }).scripts;
};

interface Started {
  child: ChildProcess;
  output: () => string;
  waitForOutput: (text: string) => Promise<void>;
  ended: Promise<number | null>;
}

function start(folder: string, ...args: string[]): Started {
  const PATH = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
  const child = spawn(process.execPath, [join(folder, 'scripts/start.mjs'), ...args], {
    env: { ...process.env, PATH, NODE: process.execPath },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const waitForOutput = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) {
      await Promise.race([
        once(child.stdout ?? child, 'data'),
        ended.then(() => Promise.reject(new Error(`ended without "${wanted}": ${text}`))),
      ]);
    }
  };
  return { child, output: () => text, waitForOutput, ended };
}

describe('npm start', () => {
  it('builds, starts the demo with further arguments and exits cleanly after Ctrl-C', async () => {
    const { child, output, waitForOutput, ended } = start(makeProject(), '--port', '5000');
    await waitForOutput('server start --demo --port 5000');
    expect(output()).toContain('building');
    child.kill('SIGINT');
    await waitForOutput('stopping SIGINT 1');
    child.kill('SIGINT'); // npm forwards the signal that the terminal already sent
    expect(await ended).toBe(0);
    expect(output()).toContain('stopped cleanly');
    expect(output()).not.toContain('stopping SIGINT 2');
  });

  it('exits cleanly even if npm forwards the signal after the server has stopped', async () => {
    const { child, waitForOutput, ended } = start(makeProject());
    await waitForOutput('server start');
    child.kill('SIGINT');
    await waitForOutput('stopped cleanly');
    const passOn = setInterval(() => child.kill('SIGINT'), 1);
    expect(await ended).toBe(0);
    clearInterval(passOn);
  });

  it('exits cleanly after SIGTERM', async () => {
    const { child, output, waitForOutput, ended } = start(makeProject());
    await waitForOutput('server start');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(output()).toContain('stopping SIGTERM 1');
  });

  it('stops a server that has no signal handler', async () => {
    const { child, waitForOutput, ended } = start(
      makeProject('console.log("up"); setInterval(() => {}, 1000);'),
    );
    await waitForOutput('up');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  // In a terminal, Ctrl-C reaches npm, its shell and the script at the same time. The shell must have been
  // replaced by then, because it would die of the signal and npm would report that as the result. The same
  // applies to the shell that `script` starts. Therefore both commands use exec, and SHELL is a shell that
  // does not exec on its own.
  it.skipIf(!existsSync('/usr/bin/script'))(
    'exits with 0 after Ctrl-C in a terminal under npm',
    async () => {
      const folder = makeProject();
      const { start: command } = projectScripts();
      write(folder, 'package.json', { scripts: { ...SCRIPTS, start: command } });
      const terminal = spawn('script', ['-qec', 'exec npm start', '/dev/null'], {
        cwd: folder,
        env: { ...process.env, SHELL: '/bin/sh' },
      });
      onTestFinished(() => void terminal.kill('SIGKILL'));
      let text = '';
      terminal.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const ended = once(terminal, 'close').then(([code]) => code as number | null);
      while (!text.includes('server start')) await once(terminal.stdout, 'data');
      terminal.stdin.write('\x03');
      expect(await ended).toBe(0);
      expect(text.match(/stopping/g)).toHaveLength(1);
    },
  );

  it('exits with the code of a server that cannot start', async () => {
    expect(await start(makeProject(), '--fail').ended).toBe(3);
  });

  it('does not rebuild when the results are newer than the sources', async () => {
    const folder = makeProject();
    expect(await start(folder, '--fail').ended).toBe(3);
    const again = start(folder, '--fail');
    expect(await again.ended).toBe(3);
    expect(again.output()).not.toContain('building');
  });

  it('builds only what the server needs, and leaves the rest to a full build', async () => {
    const folder = makeProject();
    const started = start(folder, '--fail');
    expect(await started.ended).toBe(3);
    expect(
      started
        .output()
        .match(/building \w+/g)
        ?.toSorted(),
    ).toEqual(['building mock', 'building pages', 'building sdk']);
    const build = (): string =>
      execFileSync(process.execPath, [join(folder, 'scripts/build.mjs')], { encoding: 'utf8' });
    expect(build()).toContain('building all');
    expect(build()).toBe('');
    const again = start(folder, '--fail');
    expect(await again.ended).toBe(3);
    expect(again.output()).not.toContain('building');
  });

  it('builds while npm installs the new Node, if this Node can build', async () => {
    const folder = makeProject();
    rmSync(join(folder, 'node_modules'), { recursive: true });
    // Installs the new Node only after the build, so that the test hangs if the build waits for it.
    write(
      folder,
      'bin/npm',
      `#!/bin/sh
case "$1" in
  ci) mkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json;;
  rebuild)
    until [ -e dist/ofage-mock.js ] && [ -e dist/pages ] && [ -e dist/server.js ]; do sleep 0.1; done
    mkdir -p node_modules/.bin && ln -s "$NODE" node_modules/.bin/node;;
  *) exec node build.cjs "\${3#build:}";;
esac\n`,
    );
    chmodSync(join(folder, 'bin/npm'), 0o755);
    const { waitForOutput, output, child, ended } = start(folder);
    await waitForOutput('server start --demo');
    expect(output().match(/building \w+/g)).toHaveLength(3);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it.each([
    {
      why: 'a source changed',
      change: (folder: string) => {
        const later = new Date(Date.now() + 5000);
        utimesSync(join(folder, 'src/index.ts'), later, later);
      },
    },
    {
      why: 'a source was deleted',
      change: (folder: string) => rmSync(join(folder, 'src/index.ts')),
    },
    {
      why: 'a result was deleted',
      change: (folder: string) => rmSync(join(folder, 'dist/pages'), { recursive: true }),
    },
    {
      why: 'the locked packages changed',
      change: (folder: string) => {
        const later = new Date(Date.now() + 5000);
        utimesSync(join(folder, 'package-lock.json'), later, later);
      },
    },
  ])('rebuilds when $why', async ({ change }) => {
    const folder = makeProject();
    expect(await start(folder, '--fail').ended).toBe(3);
    change(folder);
    const again = start(folder, '--fail');
    expect(await again.ended).toBe(3);
    expect(again.output()).toContain('building');
  });

  it('prints a message and exits when the build fails', async () => {
    const folder = makeProject();
    write(folder, 'build.cjs', 'process.exit(4)');
    const { output, ended } = start(folder);
    expect(await ended).toBe(4);
    expect(output()).toContain('Cannot build: npm run build:mock ended with code 4');
  });
});
