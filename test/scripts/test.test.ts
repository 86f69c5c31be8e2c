import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { environment, makeProject, test, testIn, vitestReport } from './a-project.ts';
import { write } from './sandbox.ts';

describe('npm test', () => {
  it('lists the failed tests of all runners at the end', () => {
    const unit = {
      testResults: [
        {
          name: '/x/urls.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed', fullName: 'it holds' },
            { status: 'failed', fullName: 'it breaks', failureMessages: ['expected 1 to be 2'] },
          ],
        },
        { name: '/x/broken.test.ts', status: 'failed', message: 'no such module' },
      ],
    };
    const failed = { status: 'unexpected', projectName: 'firefox' };
    const results = [{ error: { message: 'no such button' } }];
    const spec = { title: 'a journey', file: 'a.spec.ts', tests: [{ ...failed, results }] };
    const e2e = {
      stats: { expected: 0, unexpected: 1, flaky: 0, skipped: 0 },
      suites: [{ suites: [{ specs: [spec] }] }],
    };
    const { stdout } = test(
      makeProject({
        vitest: `for a; do case $a in --outputFile.json=*unit*) echo '${JSON.stringify(unit)}' > "\${a#*=}";; esac; done; exit 1`,
        playwright: `echo '${JSON.stringify(e2e)}' > reports/e2e.json; exit 1`,
      }),
    );
    const [, summary = ''] = stdout.split('== what failed');
    expect(summary).toMatch(/FAILED {2}\S*urls\.test\.ts > it breaks\n +expected 1 to be 2/);
    expect(summary).toMatch(/FAILED {2}\S*broken\.test\.ts\n +no such module/);
    expect(summary).toMatch(/FAILED {2}\[firefox\] a\.spec\.ts > a journey\n +no such button/);
    expect(summary).not.toContain('it holds');
  });

  it('runs every step, the browser tests last, and prints the counts', () => {
    const { called, last, code, stdout } = test(makeProject());
    expect(called.toSorted()).toEqual([
      'build',
      'facts',
      'oxlint',
      'playwright',
      'prettier',
      'site',
      'tsc',
      'typedoc',
      'vitest',
    ]);
    expect(called.at(-1)).toBe('playwright');
    // unit 1, package 1, consumers 1, e2e 2, and one for each of format, lint, types, build, facts, docs, site,
    // browsers
    expect(last).toBe('13 passed, 0 failed');
    expect(stdout).toMatch(/^ok {6}types +\d+\.\d s$/m);
    expect(code).toBe(0);
  });

  it('prints the output of a step in one piece when it ran beside another', () => {
    const { stdout } = test(
      makeProject({ prettier: 'sleep 0.2; echo first', oxlint: 'echo begin; sleep 0.4; echo end' }),
    );
    expect(stdout).toContain('begin\nend\n');
  });

  it('starts the tests after the build, because they read what it writes', () => {
    const { stdout } = test(makeProject());
    expect(stdout.indexOf('tool: build')).toBeLessThan(stdout.indexOf('tool: vitest'));
  });

  it('continues after a failure and compiles every project', () => {
    const { called, last, code, stdout } = test(makeProject({ prettier: 'exit 1', tsc: 'exit 2' }));
    expect(called).toContain('typedoc');
    expect(stdout.match(/^tool: tsc/gm)).toHaveLength(8);
    expect(stdout).toMatch(/^FAILED {2}format/m);
    expect(last).toBe('11 passed, 2 failed');
    expect(code).toBe(1);
  });

  it('counts steps that need a failed build as failed, without running them', () => {
    const folder = makeProject();
    write(folder, 'build.cjs', 'process.exit(1)');
    const { called, last, stdout } = test(folder);
    expect(called.toSorted()).toEqual(['oxlint', 'prettier', 'tsc', 'typedoc', 'vitest']);
    expect(stdout).toMatch(/^FAILED {2}e2e +0\.0 s {2}not run: build failed$/m);
    // failed: build, facts, package, consumers, site, e2e
    expect(last).toBe('6 passed, 6 failed');
  });

  it('counts a tool that fails without a report as a failure', () => {
    const { last, code } = test(makeProject({ vitest: 'exit 1' }), '--only', 'unit');
    expect(last).toBe('0 passed, 1 failed');
    expect(code).toBe(1);
  });

  it('does not count the report of an earlier run', () => {
    const folder = makeProject({ vitest: 'exit 0' });
    write(folder, 'reports/unit.json', vitestReport);
    expect(test(folder, '--only', 'unit').last).toBe('0 passed, 1 failed');
  });

  it('counts a failed installation as a failure and runs no step', () => {
    const folder = makeProject();
    write(folder, 'package-lock.json', { packages: { 'node_modules/new': { version: '1.0.0' } } });
    write(folder, 'browsers/npm', '#!/bin/sh\nexit 1\n');
    chmodSync(join(folder, 'browsers/npm'), 0o755);
    expect(test(folder)).toMatchObject({ called: [], last: '0 passed, 1 failed', code: 1 });
  });

  it('stops the whole run after Ctrl-C', async () => {
    const folder = makeProject({ prettier: 'exec sleep 20' });
    const child = spawn(process.execPath, [join(folder, 'scripts/test.mjs')], {
      cwd: folder,
      env: environment(folder),
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    while (!text.includes('tool: prettier')) await once(child.stdout, 'data');
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    expect(text).not.toContain('tool: playwright');
  });
});

describe('npm test when browsers are missing', () => {
  /**
   * Creates a project that has been built, and an environment with only the given browsers on PATH and no
   * apt-get.
   */
  function makeMachine(browsers: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const folder = makeProject();
    test(folder, '--only', 'build');
    mkdirSync(join(folder, 'machine'));
    for (const name of browsers) {
      write(folder, `machine/${name}`, '');
      chmodSync(join(folder, 'machine', name), 0o755);
    }
    for (const name of ['sh', 'mkdir', 'dirname'])
      symlinkSync(`/bin/${name}`, join(folder, 'machine', name));
    const { CI: _, CHROMIUM: __, FIREFOX: ___, ...inherited } = process.env;
    return { folder, env: { ...inherited, PATH: join(folder, 'machine'), ...env } };
  }

  const run = ({ folder, env }: ReturnType<typeof makeMachine>) =>
    testIn(folder, env, '--only', 'browsers,e2e');

  it('tests the engines that it finds, and names the others in one sentence', () => {
    const { stdout, code } = run(makeMachine(['chromium', 'firefox-esr']));
    expect(stdout).toMatch(
      /^Not tested here: WebKit, windows with real focus\. On Debian, install as root: apt-get install openbox /m,
    );
    expect(stdout).toMatch(
      /tool: playwright .* --project=chromium --project=chromium-windows --project=firefox --project=firefox-frames$/m,
    );
    expect(code).toBe(0);
  });

  it('uses the browser that a variable names', () => {
    const { stdout, code } = run(makeMachine([], { CHROMIUM: '/opt/chrome' }));
    expect(stdout).toMatch(/--project=chromium --project=chromium-windows$/m);
    expect(code).toBe(0);
  });

  it('fails if CI is set', () => {
    const { stdout, code, called } = run(makeMachine(['chromium'], { CI: 'true' }));
    expect(stdout).toMatch(/^Cannot test: Firefox, WebKit, windows with real focus\./m);
    expect(called).not.toContain('playwright');
    expect(code).toBe(1);
  });

  it('fails without any browser', () => {
    const { stdout, code } = run(makeMachine([]));
    expect(stdout).toMatch(/^Cannot test: Chromium, Firefox, WebKit, windows with real focus\./m);
    expect(code).toBe(1);
  });
});

describe('npm test with options', () => {
  it.each([
    { args: ['--only', 'unit,lint'], called: ['oxlint', 'vitest'] },
    { args: ['--only', 'package'], called: ['build', 'vitest'] },
    { args: ['--only', 'e2e'], called: ['build', 'site', 'playwright'] },
    {
      args: ['--skip', 'browsers,e2e'],
      called: ['prettier', 'oxlint', 'tsc', 'vitest', 'build', 'facts', 'typedoc', 'site'],
    },
  ])('runs the selected steps and those that they need: $args', ({ args, called }) => {
    const result = test(makeProject(), ...args);
    expect(result.code).toBe(0);
    expect(result.called.toSorted()).toEqual(called.toSorted());
  });

  it('does not rebuild for a selected step', () => {
    const folder = makeProject();
    test(folder, '--only', 'build');
    expect(test(folder, '--only', 'package').called).toEqual(['vitest']);
  });

  it('passes further arguments to the tool of a single step', () => {
    const { stdout } = test(makeProject(), '--only', 'unit', '--', 'test/server', '--bail=1');
    expect(stdout).toMatch(/^tool: vitest run .* test\/server --bail=1$/m);
  });

  it.each([
    {
      why: 'an unknown step in --only',
      args: ['--only', 'units'],
      says: 'There is no step "units"',
    },
    { why: 'an unknown step in --skip', args: ['--skip', 'e3e'], says: 'There is no step "e3e"' },
    {
      why: 'arguments without a selected step',
      args: ['test/server'],
      says: 'choose it with --only',
    },
    { why: 'an unknown option', args: ['--fast'], says: "Unknown option '--fast'" },
  ])('rejects $why', ({ args, says }) => {
    const { stderr, called, code } = test(makeProject(), ...args);
    expect(stderr).toContain(says);
    expect(called).toEqual([]);
    expect(code).toBe(2);
  });
});

describe('.ci/run', () => {
  const ci = (folder: string) => {
    write(folder, '.ci/run', readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8'));
    write(folder, 'package.json', {
      scripts: { build: 'node build.cjs', test: 'node scripts/test.mjs' },
    });
    const { stdout, status } = spawnSync('bash', [join(folder, '.ci/run')], {
      encoding: 'utf8',
      cwd: '/',
      env: environment(folder),
    });
    return { last: stdout.trim().split('\n').at(-1), code: status };
  };

  it('prints the counts in its last line', () => {
    expect(ci(makeProject())).toEqual({ last: '13 passed, 0 failed', code: 0 });
  });

  it('fails when a step fails', () => {
    expect(ci(makeProject({ oxlint: 'exit 1' }))).toEqual({ last: '12 passed, 1 failed', code: 1 });
  });

  it('does not count the reports of an earlier run when this run writes none', () => {
    const folder = makeProject();
    ci(folder);
    expect(existsSync(join(folder, 'reports/steps.json'))).toBe(true);
    write(folder, 'scripts/test.mjs', 'process.exit(0)');
    expect(ci(folder)).toEqual({ last: '0 passed, 1 failed', code: 1 });
  });
});
