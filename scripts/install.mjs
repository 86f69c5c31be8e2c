// Makes sure that the packages in the lock files are installed. Neither this script nor run.mjs imports an
// installed package, and both run on Node 18, so that an old Node prints a readable message and not a stack
// trace.
//   node scripts/install.mjs
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedNode } from './platform.mjs';
import { runNpm } from './run.mjs';

/** The folder of the project, with a separator at its end. */
export const root = fileURLToPath(new URL('../', import.meta.url));

/** The oldest major version of Node that runs the project's tools. */
const NODE_MAJOR = 24;

/** The folder of the package that is the Node of the lock file, for computers whose own Node is older. */
const nodeFolder = join(root, 'scripts/node');

/** Tells whether the Node on PATH, which runs this script, also runs the project's tools. */
const isNewEnough = () => Number(process.versions.node.split('.')[0]) >= NODE_MAJOR;

/** Returns the path of the Node that runs the project: the one on PATH, or that of the lock file. */
export const newNode = () => (isNewEnough() ? process.execPath : installedNode(nodeFolder));

const TOOL_FOLDERS = [
  dirname(installedNode(nodeFolder)),
  ...['node_modules/.bin', 'test/node_modules/.bin'].map((name) => join(root, name)),
];

/**
 * Returns the environment for tools, in which their `#!/usr/bin/env node` finds the new Node. Its folder comes
 * first, because test/ has an old Node for its own tests.
 */
export const toolEnv = () => ({
  ...process.env,
  PATH: [dirname(newNode()), ...TOOL_FOLDERS, process.env.PATH ?? ''].join(delimiter),
  // The tests start the mock from its sources more than a hundred times. Without the cache, each start takes
  // twice as long.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
});

/** Returns the environment for npm, which reads the global npmrc beside the Node that it runs with. */
function callerEnv() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = folders.filter((folder) => !TOOL_FOLDERS.includes(folder)).join(delimiter);
  return { ...process.env, PATH: path };
}

/**
 * Installs the packages of the project, with which it is built and started, if any is missing or differs.
 * Returns the exit code.
 *
 * @param meanwhile Called when all packages but the new Node are installed, and awaited.
 */
export async function install(meanwhile) {
  // The new Node takes nearly as long as all other packages.
  const installingNode = existsSync(newNode()) ? undefined : installTools(nodeFolder);
  const code = await installIn(root, ['ci']);
  if (installingNode === undefined) return code;
  if (code === 0) await meanwhile?.();
  const codeOfNode = await installingNode;
  if (code !== 0 || codeOfNode !== 0) return code || codeOfNode;
  if (existsSync(newNode())) return 0;
  const platform = `${process.platform} (${process.arch})`;
  return fail(
    `Node ${process.versions.node} is too old for the project's tools, and npm has no newer Node for ${platform}; install Node ${NODE_MAJOR} or newer`,
  );
}

/** Installs the packages of the project, and those in test/ that only its tests need: libraries and the tools of customers. */
export const installAll = async () => (await install()) || installTools(join(root, 'test'));

/**
 * Installs the packages of another folder. Its lock file may be one that `npm ci` refuses, because npm leaves
 * optional packages for other platforms out of it.
 */
export const installTools = (folder) => installIn(folder, ['install', '--no-save']);

async function installIn(folder, command) {
  const reason = reasonToInstall(folder);
  if (reason === undefined) return 0;
  const where = folder === root ? '' : ` of ${folder}`;
  console.log(`Installing the packages${where} (${reason})`);
  // Install scripts are ignored, because those of some tools download programs. npm's warnings compare the
  // packages with the Node on PATH, although the new one runs them.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await runNpm([...command, ...options], { cwd: folder, env: callerEnv() });
  if (code !== 0) return fail(`npm ${command[0]} ended with code ${code}`, code);
  const still = reasonToInstall(folder);
  return still === undefined ? 0 : fail(`after npm ${command[0]}, ${still}`);
}

/**
 * Returns the reason why the packages have to be installed, or `undefined`. npm writes its record,
 * node_modules/.package-lock.json, last, so an installation that was interrupted has none.
 */
function reasonToInstall(folder) {
  const present = readJson(join(folder, 'node_modules/.package-lock.json'))?.packages;
  if (present === undefined) return 'node_modules is missing or incomplete';
  const lock = readJson(join(folder, 'package-lock.json'));
  for (const [path, { version, optional }] of Object.entries(lock?.packages ?? listed(folder))) {
    // The packages of this repository are links, whose version does not matter.
    if (!path.startsWith('node_modules/')) continue;
    // An optional package may be missing, because it is the part of another package for one platform.
    if (optional && present[path] === undefined) continue;
    if (present[path]?.version !== version)
      return `${path.replace(/^node_modules\//, '')} ${version} is missing or differs`;
  }
  return undefined;
}

/** Returns the packages in package.json, each with its exact version, for a folder without a lock file. */
function listed(folder) {
  const { dependencies, devDependencies } = readJson(join(folder, 'package.json'));
  return Object.fromEntries(
    Object.entries({ ...dependencies, ...devDependencies }).map(([name, range]) => [
      `node_modules/${name}`,
      // An alias is written as npm:webpack@4.47.0.
      { version: range.slice(range.lastIndexOf('@') + 1) },
    ]),
  );
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // there is no such file, or npm was stopped while it wrote it
  }
}

function fail(reason, code = 1) {
  console.error(`Cannot install the packages: ${reason}`);
  return code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await installAll();
