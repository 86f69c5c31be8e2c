/** A smoke test of the scripts that install, test and start the project. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PARTS, SLICE_MINUTES, chooseSlice } from '../../scripts/parts.mjs';
import { createProject, run, write, writeProgram } from './a-project.ts';

const test = (folder: string, ...args: string[]) =>
  run(folder, process.execPath, 'scripts/test.mjs', ...args);
const testAll = (folder: string, ...args: string[]) =>
  run(folder, process.execPath, 'scripts/test.mjs', '--all', ...args);

const ALL = 'build facts oxlint playwright prettier site tsc typedoc vitest'.split(' ');

describe('npm test', () => {
  it('runs every step, and .ci/run ends with the number of tests', () => {
    const { code, tools, last } = run(createProject(), '.ci/run');
    expect(tools).toEqual(ALL);
    // unit 1, package 1, consumers 1, e2e 2, and one for each of the eight steps without a report
    expect(last).toBe('13 passed, 0 failed');
    expect(code).toBe(0);
  });

  it('fails when a step fails, after it has run the others', () => {
    const { code, tools, last, stdout } = test(createProject({ tsc: 'exit 2' }));
    expect(tools).toEqual(ALL);
    expect(stdout).toMatch(/^FAILED {2}types /m);
    expect(last).toBe('12 passed, 1 failed');
    expect(code).toBe(1);
  });

  it('fails when a test fails, and repeats its message at the end', () => {
    const report = {
      testResults: [
        {
          name: '/x/urls.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'failed', fullName: 'it breaks', failureMessages: ['expected 1 to be 2'] },
          ],
        },
      ],
    };
    const vitest = `echo '${JSON.stringify(report)}' > reports/unit.json`;
    const { code, last, stdout } = test(createProject({ vitest }), '--only', 'unit');
    expect(stdout).toMatch(/FAILED {2}\S*urls\.test\.ts > it breaks\n +expected 1 to be 2/);
    expect(last).toBe('0 passed, 1 failed');
    expect(code).toBe(1);
  });

  it.each([
    ['writes no report', ''],
    ['writes half a report', `echo '{"testRes' > reports/unit.json`],
    ['stops before its first test', `echo '{"testResults":[]}' > reports/unit.json; exit 1`],
  ])('fails when a test runner %s', (_, vitest) => {
    const folder = createProject({ vitest });
    write(
      folder,
      'reports/unit.json',
      '{"testResults":[{"assertionResults":[{"status":"passed"}]}]}',
    );
    expect(test(folder, '--only', 'unit')).toMatchObject({ code: 1, last: '0 passed, 1 failed' });
  });

  it('counts the steps that need a failed build as failed, without running them', () => {
    const folder = createProject();
    write(folder, 'build.cjs', 'process.exit(1)');
    const { tools, last, stdout } = test(folder);
    expect(tools).toEqual(['oxlint', 'prettier', 'tsc', 'typedoc', 'vitest']);
    expect(stdout).toMatch(/^FAILED {2}e2e +0\.0 s {2}not run: build failed$/m);
    // failed: build, facts, package, consumers, site, e2e
    expect(last).toBe('6 passed, 6 failed');
  });

  it('passes further arguments to the tool of a single step', () => {
    const { stdout } = test(createProject(), '--only', 'unit', '--', 'test/server', '--bail=1');
    expect(stdout).toMatch(/^tool: vitest run .* test\/server --bail=1$/m);
  });

  it('fails in .ci/run when it writes nothing, even if an earlier run did', () => {
    const folder = createProject();
    write(folder, 'reports/steps.json', '[{"name":"lint","status":"passed"}]');
    write(folder, 'scripts/test.mjs', 'process.exit(0)');
    expect(run(folder, '.ci/run')).toMatchObject({ code: 1, last: '0 passed, 1 failed' });
  });
});

describe('npm run test:all', () => {
  it('runs the same parts again for the same seed, and says how', () => {
    const { stdout } = testAll(createProject(), '--list', '--seed', '7');
    expect(stdout).toBe(testAll(createProject(), '--list', '--seed', '7').stdout);
    expect(stdout).not.toBe(testAll(createProject(), '--list', '--seed', '8').stdout);
    expect(stdout).toContain('npm run test:all -- --seed 7');
  });

  it(`fills slices of at most ${SLICE_MINUTES} minutes, and 60 of them contain every part`, () => {
    const slices = Array.from({ length: 60 }, (_, seed) => chooseSlice(PARTS, { seed }));
    for (const slice of slices) {
      const minutes = slice.reduce((sum, part) => sum + part.minutes, 0);
      expect(minutes).toBeLessThanOrEqual(SLICE_MINUTES);
      expect(minutes).toBeGreaterThan(SLICE_MINUTES / 2);
    }
    const names = new Set(slices.flat().map(({ name }) => name));
    expect([...names].toSorted()).toEqual(PARTS.map(({ name }) => name).toSorted());
  });

  it('runs a part after the steps that it needs, and counts its tests', () => {
    const { code, stdout, tools } = testAll(createProject(), '--only', 'windows-firefox');
    expect(tools).toEqual(['build', 'playwright']);
    expect(stdout).toMatch(/--project=firefox/);
    // build 1, browsers 1, windows-firefox 2
    expect(stdout).toContain('4 passed, 0 failed');
    expect(code).toBe(0);
  });

  it('fails when a part fails', () => {
    const folder = createProject({ playwright: 'exit 1' });
    const { code, stdout } = testAll(folder, '--only', 'windows-firefox');
    expect(stdout).toContain('2 passed, 1 failed');
    expect(code).toBe(1);
  });
});

describe('the installation of a folder without a lock file', () => {
  const installed = (version: string): string =>
    `mkdir -p node_modules; echo '{"packages":{"node_modules/webpack-4":{"version":"${version}"},"node_modules/more":{}}}' > node_modules/.package-lock.json`;

  it.each([
    ['installs the versions in package.json', '4.47.0', 0],
    ['fails when npm installs another version', '4.46.0', 1],
  ])('%s', (_, version, code) => {
    const folder = createProject();
    const devDependencies = { 'webpack-4': 'npm:webpack@4.47.0' };
    write(folder, 'shop/package.json', JSON.stringify({ devDependencies }));
    writeProgram(folder, 'browsers/npm', `echo "npm $1"; ${installed(version)}`);
    const install = `const { installTools } = await import('./scripts/install.mjs');
      process.exitCode = await installTools('shop');`;
    const again = () => run(folder, process.execPath, '--input-type=module', '-e', install);
    expect(again()).toMatchObject({ code });
    expect(again().stdout.includes('npm install')).toBe(code !== 0);
  });

  it('runs npm with the Node of the caller, also in a step, because npm reads the npmrc beside it', () => {
    const folder = createProject();
    write(
      folder,
      'shop/package.json',
      JSON.stringify({ devDependencies: { 'webpack-4': '1.0.0' } }),
    );
    writeProgram(folder, 'browsers/npm', `echo "PATH $PATH"; ${installed('1.0.0')}`);
    const install = `const { installTools, toolEnv } = await import('./scripts/install.mjs');
      Object.assign(process.env, toolEnv());
      process.exitCode = await installTools('shop');`;
    const { stdout } = run(folder, process.execPath, '--input-type=module', '-e', install);
    expect(stdout).toContain('PATH ');
    expect(stdout).not.toMatch(/ofage-scripts-[^/]+\/node_modules/);
  });
});

describe('npm start', () => {
  it('builds, starts the demo and exits with 0 after Ctrl-C', async () => {
    const folder = createProject();
    const server = `process.on('SIGINT', () => setTimeout(() => process.exit(0), 100));
      console.log('server', ...process.argv.slice(2)); setInterval(() => {}, 1000);`;
    write(folder, 'server.cjs', server);
    const make = `mkdir -p dist mock-server/dist/pages; cp server.cjs mock-server/dist/ofage-mock.js
      for f in sdk.min.js server.js; do : > dist/$f; done
      for f in demo-backend.js pages/index.html; do : > mock-server/dist/$f; done`;
    writeProgram(folder, 'browsers/npm', make);
    const child = spawn(process.execPath, ['scripts/start.mjs', '--port', '5000'], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}/browsers:${process.env['PATH']}` },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    while (!text.includes('server start --demo --port 5000')) await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});
