/** A smoke test of the scripts that install and test the project. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readResults } from '../../scripts/count-results.mjs';
import { PARTS, SLICE_MINUTES, chooseSlice } from '../../scripts/parts.mjs';
import { STEPS, TSCONFIGS } from '../../scripts/steps.mjs';
import { aFolder } from '../support/folder.ts';
import {
  createProject,
  ROOT,
  run,
  TOOLS,
  VITEST_REPORT,
  write,
  writeProgram,
} from './a-project.ts';

const MATRIX = 'test/e2e/focus/matrix.ts';
const SOAK = 'test/mock-server/send/simulation/soak.ts';
const MUTANTS = 'test/mutation/generic.ts';

const test = (folder: string, ...args: string[]) =>
  run(folder, process.execPath, 'scripts/test.mjs', ...args);
const testAll = (folder: string, ...args: string[]) =>
  run(folder, process.execPath, 'scripts/test.mjs', '--all', ...args);

/** Installs the packages of the folder shop. */
function installShop(folder: string) {
  const install = `const { installTools } = await import('./scripts/install.mjs');
    process.exitCode = await installTools('shop');`;
  return run(folder, process.execPath, '--input-type=module', '-e', install);
}

const ALL = 'build facts oxlint playwright prettier site tsc typedoc vitest'.split(' ');

/** A tool that fails only with these words among its arguments. */
const failsFor = (words: string): string => `case "$*" in *"${words}"*) exit 1;; esac`;
/** A test runner that writes its usual report, of passed tests, and fails. */
const failsAfter = (tool: 'vitest' | 'playwright') => ({ [tool]: `${TOOLS[tool]}; exit 1` });

interface Order {
  readonly name: string;
  readonly needs?: readonly string[];
  readonly after?: readonly string[];
}

type Broken = [part: string, step: string, tools: Record<string, string>, file?: string];

/** A stand-in that fails, for each part of `npm test` on its own. */
const BROKEN: readonly Broken[] = [
  ['the format', 'format', { prettier: 'exit 1' }],
  ['the linter', 'lint', { oxlint: 'exit 1' }],
  ['a killed tool', 'lint', { oxlint: 'kill -9 $$' }],
  ...TSCONFIGS.map((project): Broken => [
    `a type of ${project}`,
    'types',
    { tsc: `[ "$4" != "${project}" ]` },
  ]),
  ['the build', 'build', {}, 'build.cjs'],
  ['a fact', 'facts', {}, 'scripts/facts.mjs'],
  ['a comment of ofage', 'docs', { typedoc: failsFor('typedoc.ofage.json') }],
  ['a comment of ofage-mock', 'docs', { typedoc: failsFor('typedoc.mock.json') }],
  ['the site', 'site', {}, 'docs/build/main.mjs'],
  ['a unit test', 'unit', failsAfter('vitest')],
  ['a test of the package', 'package', failsAfter('vitest')],
  ['a consumer', 'consumers', failsAfter('vitest')],
  ['a browser test', 'e2e', failsAfter('playwright')],
];

describe('npm test', () => {
  it('runs every step, and .ci/run ends with the number of tests', () => {
    const { code, tools, last } = run(createProject(), '.ci/run');
    expect(tools).toEqual(ALL);
    // unit 1, package 1, consumers 1, e2e 2, and one for each of the eight steps without a report
    expect(last).toBe('13 passed, 0 failed');
    expect(code).toBe(0);
  });

  it('runs the other steps after one has failed', () => {
    const { code, tools, last, stdout } = test(createProject({ tsc: 'exit 2' }));
    expect(tools).toEqual(ALL);
    expect(stdout).toMatch(/^FAILED {2}types /m);
    expect(last).toBe('12 passed, 1 failed');
    expect(code).toBe(1);
  });

  it.each(BROKEN)('fails if %s is broken', (_part, step, broken, file) => {
    const folder = createProject(broken);
    if (file !== undefined) write(folder, file, 'process.exit(1);');
    const { code, last, stdout } = test(folder, '--only', step);
    expect(last).toMatch(/ [1-9]\d* failed$/);
    expect(stdout).toMatch(new RegExp(`^FAILED {2}${step}\\b`, 'm'));
    expect(code).toBe(1);
  });

  it('is tried above with a broken part of every step, except the look for browsers', () => {
    const names = STEPS.map(({ name }) => name).filter((name) => name !== 'browsers');
    expect(new Set(BROKEN.map(([, step]) => step))).toEqual(new Set(names));
  });

  it('has one step or part of each name and of each report, because both are found by name', () => {
    const all: readonly { name: string; report?: string }[] = [...STEPS, ...PARTS];
    const words = all.flatMap(({ name, report }) =>
      report === undefined ? [name] : [name, report],
    );
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });

  it('waits only for steps that exist and come before, so that the list is the order', () => {
    const all = [...STEPS, ...PARTS];
    const wrong = all.flatMap(({ name, needs = [], after = [] }: Order, index) =>
      [...needs, ...after]
        .filter((other) => !all.slice(0, index).some((one) => one.name === other))
        .map((other) => `${name} waits for ${other}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['--only', 'unti'],
    ['--only', ''],
    ['--skip', STEPS.map(({ name }) => name).join()],
    ['--all', '--only', 'consumer', '--list'],
  ])('refuses %s %s %s %s, and runs nothing', (...args) => {
    const { code, stdout, stderr } = test(createProject(), ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^(There is no (step|part) "|No step is left; the steps are )/);
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

  it('counts the steps that need a failed build as failed, without running them', () => {
    const folder = createProject();
    write(folder, 'build.cjs', 'process.exit(1)');
    const { tools, last, stdout } = test(folder);
    expect(tools).toEqual(['oxlint', 'prettier', 'tsc', 'typedoc', 'vitest']);
    expect(stdout).toMatch(/^FAILED {2}e2e +0\.0 s {2}not run: build failed$/m);
    // failed: build, facts, package, consumers, site, e2e
    expect(last).toBe('6 passed, 6 failed');
  });

  it.each([129, 130, 143])('begins no further step after one has been stopped, code %i', (code) => {
    const { tools, last } = test(createProject({ prettier: `exit ${code}` }));
    // The other steps may have begun beside the format, except the one that runs alone.
    expect(tools).toContain('prettier');
    expect(tools).not.toContain('playwright');
    expect(last).toMatch(/ 1 failed$/);
  });

  it('runs steps beside each other, but a step only after those that it waits for', () => {
    const note = (name: string): string => `echo ${name} >> order.log`;
    const folder = createProject({
      typedoc: note('docs'),
      vitest: `${note('unit')}\n${TOOLS['vitest']}`,
    });
    // The build ends only once the step docs, which is later in the list, has run.
    const waits = `for i in $(seq 200); do
      [ "$(grep -c docs order.log 2>&1)" = 2 ] && break; sleep 0.1; done`;
    write(folder, 'build.sh', `${waits}\n${note('build')}\n`);
    write(folder, 'build.cjs', `require('child_process').execFileSync('sh', ['build.sh']);`);
    expect(test(folder, '--only', 'build,unit,docs')).toMatchObject({ code: 0 });
    const order = readFileSync(join(folder, 'order.log'), 'utf8').trim().split('\n');
    expect(order).toEqual(['docs', 'docs', 'build', 'unit']);
  });

  it('does not count the report of an earlier run', () => {
    const folder = createProject({ vitest: '' });
    write(folder, 'reports/unit.json', VITEST_REPORT);
    expect(test(folder, '--only', 'unit')).toMatchObject({ code: 1, last: '0 passed, 1 failed' });
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

it.each([
  ['are absent', undefined],
  ['have no step', '[]'],
  ['are half-written', '[{"name":"lint","sta'],
  ['are of another kind', '{}'],
])('the results of the steps count as one failure if they %s', (_why, text) => {
  const folder = aFolder();
  if (text !== undefined) write(folder, 'steps.json', text);
  expect(readResults(folder)).toMatchObject({ passed: 0, failures: [{ name: 'npm test' }] });
});

describe('a report of a step that has passed', () => {
  const vitest = (...statuses: string[]): string =>
    JSON.stringify({
      testResults: [{ assertionResults: statuses.map((status) => ({ status, fullName: 'it' })) }],
    });
  const playwright = (stats: object): string =>
    JSON.stringify({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats } });

  it.each([
    ['is absent', undefined],
    ['is empty', ''],
    ['is half-written', '{"testRes'],
    ['is of another kind', '{}'],
    ['has no counts', '{"stats":{}}'],
    ['has no test of Vitest', '{"testResults":[]}'],
    ['has only skipped tests of Vitest', vitest('skipped', 'pending')],
    ['has a failed test of Vitest', vitest('passed', 'failed')],
    ['has no test of Playwright', playwright({})],
    ['has only skipped tests of Playwright', playwright({ skipped: 3 })],
    ['has a failed test of Playwright', playwright({ expected: 1, unexpected: 1 })],
    ['has an error of Playwright', playwright({ expected: 1 }).replace('}}', '},"errors":[{}]}')],
  ])('is a failure if it %s', (_why, text) => {
    const folder = aFolder();
    const step = { name: 'unit', status: 'passed', report: 'unit.json' };
    write(folder, 'steps.json', JSON.stringify([step]));
    if (text !== undefined) write(folder, 'unit.json', text);
    expect(readResults(folder).failures).toHaveLength(1);
  });

  it('counts its tests otherwise', () => {
    const folder = aFolder();
    const steps = ['unit', 'e2e'].map((name) => ({
      name,
      status: 'passed',
      report: `${name}.json`,
    }));
    write(folder, 'steps.json', JSON.stringify([...steps, { name: 'lint', status: 'passed' }]));
    write(folder, 'unit.json', vitest('passed', 'passed', 'skipped'));
    write(folder, 'e2e.json', playwright({ expected: 3, flaky: 1 }));
    expect(readResults(folder)).toEqual({ passed: 7, skipped: 1, failures: [] });
  });
});

describe('a filter that selects nothing', () => {
  it.each([
    ['a step', ['scripts/step.mjs', 'unti'], 'There is no step "unti"; the steps are format,'],
    ['a benchmark', ['bench/main.ts', 'toString'], 'Unknown benchmark "toString"'],
    ['a consumer', ['test/consumers/main.ts', 'Jset'], 'No cell has "Jset" in its name'],
    ['a part of the docs', ['docs/build/main.mjs', 'biuld'], 'must be build or dev, got "biuld"'],
    [
      'engines',
      [MATRIX, '--engines', 'chromum'],
      '--engines has no "chromum"; did you mean chromium?',
    ],
    ['days', [SOAK, '--scenarios', 'x'], '--scenarios must be a whole number from 1 on, got "x"'],
    [
      'kills',
      ['test/soak/kill.ts', 'x'],
      'number of kills must be a whole number from 1 on, got "x"',
    ],
    ['mutants', [MUTANTS, '--count', 'x', 'bench/main.ts'], '--count must be a whole number'],
  ])('is refused for %s: %j', (_what, args, sentence) => {
    const { code, stderr } = run(ROOT, process.execPath, ...args);
    expect(stderr).toContain(sentence);
    expect(code).not.toBe(0);
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
      const others = PARTS.filter((part) => !slice.includes(part));
      expect(others.filter((part) => part.minutes <= SLICE_MINUTES - minutes)).toEqual([]);
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

describe('the installation of a folder with a lock file', () => {
  const LOCKED = { version: '2.0.0' };
  const OPTIONAL = { ...LOCKED, optional: true };

  it.each([
    ['is missing', LOCKED, undefined, 'webpack 2.0.0 is missing or differs'],
    ['has another version', LOCKED, { version: '1.0.0' }, 'webpack 2.0.0 is missing or differs'],
    ['has the version', LOCKED, LOCKED, undefined],
    ['is optional and missing, as on another platform', OPTIONAL, undefined, undefined],
    [
      'is optional and has another version',
      OPTIONAL,
      { version: '1.0.0' },
      'webpack 2.0.0 is missing or differs',
    ],
    ['is optional and has the version', OPTIONAL, OPTIONAL, undefined],
  ])('runs npm only if needed when a package %s', (_, locked, present, reason) => {
    const folder = createProject();
    const record = (entry: object | undefined): string =>
      JSON.stringify({ packages: { '': {}, 'node_modules/webpack': entry } });
    write(folder, 'shop/package-lock.json', record(locked));
    write(folder, 'shop/node_modules/.package-lock.json', record(present));
    writeProgram(folder, 'browsers/npm', 'exit 3');
    const { code, stdout } = installShop(folder);
    expect([code, stdout]).toEqual(
      reason === undefined ? [0, ''] : [3, `Installing the packages of shop (${reason})\n`],
    );
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
    expect(installShop(folder)).toMatchObject({ code });
    expect(installShop(folder).stdout.includes('npm install')).toBe(code !== 0);
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
