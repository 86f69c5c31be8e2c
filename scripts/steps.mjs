import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { availableProjects, installBrowsers } from './browsers.mjs';
import { build, isBuilt } from './build.mjs';
import { root, toolEnv } from './install.mjs';
import { run } from './run.mjs';

/** Returns a function that runs a program with these arguments and further ones. */
export const tool =
  (command, ...args) =>
  (extra = []) =>
    run(command, [...args, ...extra], { cwd: root, env: toolEnv() });

/** Returns a function that runs the tests of these projects and writes the report `name`. */
export function vitest(name, projects) {
  const chosen = projects.map((project) => `--project=${project}`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=reports/${name}`];
  return tool('vitest', 'run', '--config', 'test/vitest.config.ts', ...chosen, ...reporters);
}

/** Returns a function that runs browser tests. The report's path is set in Playwright's configuration. */
export const playwright = (...args) =>
  tool('playwright', 'test', '-c', 'test/e2e/playwright.config.ts', ...args);

export const TSCONFIGS = [
  'src',
  'src/server',
  'mock-server',
  'mock-server/tsconfig.node.json',
  'mock-server/testing',
  'mock-server/conformance',
  'playground',
  'test',
];

/** TypeScript 7 needs a fifth of the time of version 6, with whose interface the build and TypeDoc work. */
const TSC = join(root, 'test/node_modules/typescript-7/bin/tsc');

/** Checks the types of every project, even after one has failed, so that all errors are reported at once. */
async function types(extra) {
  let worst = 0;
  for (const project of TSCONFIGS) {
    const code = await tool(TSC, '--pretty', 'false', '-p', project)(extra);
    if (code !== 0) console.error(`tsc -p ${project} ended with code ${code}`);
    worst = Math.max(worst, code);
  }
  return worst;
}

/** Checks the documentation of both packages. TypeDoc checks only what belongs to the package of its entries. */
async function docs(extra) {
  let worst = 0;
  for (const name of ['ofage', 'mock']) {
    const options = ['--options', `docs/typedoc.${name}.json`, '--emit', 'none'];
    worst = Math.max(worst, await tool('typedoc', ...options)(extra));
  }
  return worst;
}

/** Runs the browser tests of the installed engines. */
function e2e(extra) {
  const isChosen = extra.some((arg) => arg.startsWith('--project'));
  const projects = isChosen ? [] : availableProjects().map((name) => `--project=${name}`);
  return playwright(...projects)(extra);
}

/**
 * The steps of `npm test`, in order. `needs` names steps that must pass first, `after` those that must have
 * ended. `isAlone` means that nothing runs beside the step. `report` is the file with the step's test
 * results. `run` accepts further arguments and returns an exit code. `isDone` tells whether the result of an
 * earlier run is still good enough for the steps that need it.
 */
export const STEPS = [
  {
    name: 'format',
    // The cache is in node_modules/.cache. It compares contents, because a checkout changes all dates.
    run: tool(
      'prettier',
      '--check',
      '--cache',
      '--cache-strategy=content',
      '--log-level=warn',
      '.',
    ),
  },
  { name: 'lint', run: tool('oxlint') },
  { name: 'types', run: types },
  { name: 'build', run: build, isDone: isBuilt },
  {
    name: 'unit',
    // Some tests start the command line, which serves the built files if there are any.
    after: ['build'],
    report: 'unit.json',
    run: vitest('unit.json', ['sdk', 'sdk-with-reports', 'node', 'node-sharing']),
  },
  { name: 'facts', needs: ['build'], run: tool('node', 'scripts/facts.mjs', '--check') },
  {
    name: 'package',
    needs: ['build'],
    // The file is not named package.json, which would make the folder a package for Node.
    report: 'package-tests.json',
    run: vitest('package-tests.json', ['package']),
  },
  {
    // The packed package in the tools of its users.
    name: 'consumers',
    needs: ['build'],
    report: 'consumers.json',
    run: vitest('consumers.json', ['consumers']),
  },
  { name: 'docs', run: docs },
  { name: 'browsers', run: () => installBrowsers() },
  {
    name: 'site',
    needs: ['build'],
    run: tool('node', 'docs/build/main.mjs', 'build'),
    // A single step does not need a new one.
    isDone: () => existsSync(join(root, 'dist-docs/index.html')),
  },
  {
    name: 'e2e',
    needs: ['build', 'site', 'browsers'],
    isAlone: true,
    report: 'e2e.json',
    run: e2e,
  },
];

/**
 * Returns the steps to run. With `only`, these are its steps and the steps that they need, unless those are
 * done. Otherwise, these are all steps but those of `skip`.
 *
 * @throws RangeError for an unknown step, and if no step is left, because a run of no steps would pass
 */
export function chooseSteps(steps, { only, skip = [] }) {
  const names = steps.map(({ name }) => name);
  assertKnown('step', names, [...(only ?? []), ...skip]);
  const chosen = new Set((only ?? names).filter((name) => !skip.includes(name)));
  if (chosen.size === 0) throw new RangeError(`No step is left; the steps are ${names.join(', ')}`);
  for (const step of steps.filter(({ name }) => chosen.has(name))) {
    for (const needed of steps.filter(({ name }) => step.needs?.includes(name))) {
      if (only !== undefined && needed.isDone?.() !== true) chosen.add(needed.name);
    }
  }
  return steps.filter(({ name }) => chosen.has(name));
}

/**
 * Checks that names which somebody has typed exist.
 *
 * @throws RangeError for an unknown name, with all that exist
 */
export function assertKnown(kind, known, names) {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`There is no ${kind} "${unknown}"; the ${kind}s are ${known.join(', ')}`);
}
