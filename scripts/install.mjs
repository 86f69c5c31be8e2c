// Makes sure that the packages in package-lock.json are installed. Neither this script nor
// run.mjs imports an installed package, and both run on Node 18, so that an old Node prints a readable
// message and not a stack trace.
//   node scripts/install.mjs
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** The folder of the project, with a separator at its end. */
export const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * Returns the path of the Node that the project is developed with. It is a dev dependency, because the Node on PATH
 * may be older.
 */
export const newNode = () => join(root, 'node_modules/.bin/node');

/** Returns the environment for tools, in which their `#!/usr/bin/env node` finds the new Node. */
export const toolEnv = () => ({
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
});

/**
 * Installs the packages if any is missing or differs. Returns the exit code: 0 when everything is
 * installed.
 *
 * @param meanwhile Called when all packages but the new Node are installed, and awaited.
 */
export async function install(meanwhile) {
  return installIn(root, ['ci', '--ignore-scripts'], () =>
    // The install script of the package "node" downloads Node, which takes half as long as all other
    // packages.
    Promise.all([run('npm', ['rebuild', 'node', '--silent'], { cwd: root }), meanwhile?.()]),
  );
}

/**
 * Installs the packages of a folder whose lock file npm ci refuses, because npm leaves optional packages for
 * other platforms out of it. A folder without a lock file gets the versions that its package.json names, and
 * the newest packages that these allow. Install scripts are ignored, because those of some tools download
 * programs.
 */
export function installTools(folder) {
  return installIn(folder, ['install', '--no-save', '--ignore-scripts']);
}

async function installIn(folder, command, finish) {
  const reason = reasonToInstall(folder);
  if (reason === undefined) return 0;
  console.log(`Installing the packages (${reason})`);
  // npm's warnings compare the packages with the Node on PATH, although the new one runs them.
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const code = await run('npm', [...command, ...options], { cwd: folder });
  if (code !== 0) return fail(`npm ${command[0]} ended with code ${code}`, code);
  await finish?.();
  if (folder === root && !existsSync(newNode())) {
    return fail(
      'the install script of the package "node" did not run; is ignore-scripts set for npm?',
    );
  }
  const still = reasonToInstall(folder);
  return still === undefined ? 0 : fail(`package-lock.json and package.json disagree: ${still}`);
}

/**
 * Returns the reason why the packages have to be installed, or `undefined`. npm writes its record,
 * node_modules/.package-lock.json, last, so an installation that was interrupted has none.
 */
export function reasonToInstall(folder) {
  const present = readPackages(recordIn(folder));
  if (present === undefined) return 'node_modules is missing or incomplete';
  const wanted = readPackages(join(folder, 'package-lock.json'));
  return wanted === undefined
    ? findOtherVersion(folder, present)
    : findDifference(folder, wanted, present);
}

/** Compares the installed packages with those that package.json lists, each with its exact version. */
function findOtherVersion(folder, present) {
  const { dependencies, devDependencies } = readJson(join(folder, 'package.json'));
  for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
    // An alias is written as npm:webpack@4.47.0.
    const version = range.slice(range.lastIndexOf('@') + 1);
    if (present[`node_modules/${name}`]?.version !== version) {
      return `${name} ${version} is missing or differs`;
    }
  }
  return undefined;
}

function findDifference(folder, wanted, present) {
  // Only this project lists the package "node". Tools in other folders run with this project's Node.
  const hasNode =
    !('node_modules/node' in wanted) || existsSync(join(folder, 'node_modules/.bin/node'));
  if (!hasNode) return 'the package "node" is incomplete';
  // An optional package may be missing, or be installed although package-lock.json does not list it,
  // because it is the part of another package for one platform.
  for (const [path, { version, integrity, optional }] of Object.entries(wanted)) {
    const found = present[path];
    if (path === '' || (found === undefined && optional === true)) continue;
    if (found?.version !== version || found?.integrity !== integrity) {
      return `${path.replace(/^node_modules\//, '')} ${version} is missing or differs`;
    }
  }
  const extra = Object.entries(present).find(
    ([path, { optional }]) => wanted[path] === undefined && optional !== true,
  );
  return extra === undefined ? undefined : `${extra[0]} is not in package-lock.json`;
}

const recordIn = (folder) => join(folder, 'node_modules/.package-lock.json');

const readPackages = (file) => readJson(file)?.packages;

function readJson(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function fail(reason, code = 1) {
  console.error(`Cannot install the packages: ${reason}`);
  return code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await install();
