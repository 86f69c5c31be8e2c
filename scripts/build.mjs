// Builds everything that ships, if the built files are missing or older than their sources.
//   node scripts/build.mjs
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, root, toolEnv } from './install.mjs';
import { runNpm } from './run.mjs';

/** The build is out of date if one of these, or a file in one of them, is newer than its results. */
const SOURCES = [
  'src',
  'mock-server',
  'playground',
  // The help pages of the mock come from this page.
  'docs/errors.md',
  'scripts',
  'package.json',
  'package-lock.json',
  'rollup.config.mjs',
  'tsconfig.json',
];

/** Files that a running mock serves or consists of, at least one from each part of `buildServed`. */
const SERVED = [
  'dist/sdk.min.js',
  'dist/server.js',
  'mock-server/dist/ofage-mock.js',
  'mock-server/dist/demo-backend.js',
  'mock-server/dist/reporter.js',
  'mock-server/dist/pages/index.html',
];

/** The files of `SERVED`, and a file that each other part of the build writes at its end. */
const RESULTS = [
  ...SERVED,
  'dist/integrity.json',
  'mock-server/dist/conformance.cjs',
  'dist-static/index.html',
  'dist-static/THIRD-PARTY-NOTICES.txt',
];

/** Builds the whole project, even if nothing has changed. Returns the exit code. */
export const build = () => runScript('build');

/** Builds only the files that a running mock needs, in three processes at once. Returns the exit code. */
export async function buildServed() {
  const codes = await Promise.all(['build:mock', 'build:sdk', 'build:pages'].map(runScript));
  return Math.max(...codes);
}

/** Builds only the SDK and the server kit. Returns the exit code. */
export const buildSdk = () => runScript('build:sdk');

async function runScript(name) {
  const code = await runNpm(['run', '--silent', name], { cwd: root, env: toolEnv() });
  if (code !== 0) console.error(`Cannot build: npm run ${name} ended with code ${code}`);
  return code;
}

/** Tells whether the files of `RESULTS` exist and are newer than all sources. */
export const isBuilt = () => isNewer(RESULTS);

/** Tells whether the files of `SERVED` exist and are newer than all sources. */
export const isServedBuilt = () => isNewer(SERVED);

function isNewer(results) {
  const changed = results.map((path) => changedAtMs(join(root, path)));
  const sources = SOURCES.map((path) => newestMs(join(root, path)));
  return Math.min(...changed) >= Math.max(...sources);
}

/**
 * Returns the newest modification time at or below a path. This includes the times of folders, which change
 * when a file is deleted.
 */
function newestMs(path) {
  // The results of the build of `ofage-mock` are beside its sources.
  if (path === join(root, 'mock-server/dist')) return Number.NEGATIVE_INFINITY;
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const inside = isFolder ? readdirSync(path).map((name) => newestMs(join(path, name))) : [];
  return Math.max(changedAtMs(path), ...inside);
}

/** Returns -Infinity for a missing file, so that it counts as older than any other. */
function changedAtMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await install()) || (isBuilt() ? 0 : await build());
}
