// Prepares a release: checks the tree, builds, packs, lints the packages and lays out the CDN's folder.
//   npm run release -- --dry-run    prints what would be published
//   npm run release                 publishes to npm and tags the commit; the CDN folder is for you to upload
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { installAll, root, toolEnv } from './install.mjs';
import { packCommand, packPackage } from './pack.mjs';

/** The files that a script tag may load, and the hashes for its integrity attribute. */
const CDN_FILES = ['sdk.min.js', 'ofage.min.js', 'integrity.json'];

/**
 * Returns the problems that prevent a release, each with its cure.
 *
 * @param facts `status` is the output of `git status --porcelain`, `tags` are the tags of the repository
 */
export function findProblems({ version, changelog, status, tags }) {
  const released = new RegExp(`^## ${version.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d$`, 'm');
  return [
    status !== '' && `The working tree has changes. Commit or stash them:\n${status}`,
    tags.includes(`v${version}`) &&
      `The tag v${version} exists. Raise "version" in package.json and VERSION in src/brand.ts.`,
    !released.test(changelog) &&
      `CHANGELOG.md has no heading "## ${version} - YYYY-MM-DD". Add one above the changes of this version.`,
    /^## Unreleased$/m.test(changelog) &&
      'CHANGELOG.md has a heading "Unreleased". Move its changes below the heading of the version.',
  ].filter(Boolean);
}

/** Writes the CDN's folder: the script under both its names, their hashes, and the headers for all files. */
export function layOutCdn(folder, version) {
  const path = `ofage@${version}`;
  mkdirSync(join(folder, path), { recursive: true });
  for (const name of CDN_FILES) copyFileSync(join(root, 'dist', name), join(folder, path, name));
  const headers = `/${path}/*
  Cache-Control: public, max-age=31536000, immutable
  Access-Control-Allow-Origin: *
  Cross-Origin-Resource-Policy: cross-origin
  X-Content-Type-Options: nosniff
`;
  writeFileSync(join(folder, '_headers'), headers);
}

async function release({ isDryRun }) {
  const read = (name) => readFileSync(join(root, name), 'utf8');
  const { version } = JSON.parse(read('package.json'));
  const status = output('git', 'status', '--porcelain').trimEnd();
  const tags = output('git', 'tag').split('\n');
  const problems = findProblems({ version, changelog: read('CHANGELOG.md'), status, tags });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 1;
  const code = (await installAll()) || (await build());
  if (code !== 0) return code;

  const folder = join(root, 'release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const tarballs = [packPackage(folder), packCommand(folder)];
  for (const tarball of tarballs) run('publint', tarball, '--strict');
  run('attw', tarballs[0]);
  layOutCdn(join(folder, 'cdn'), version);

  console.log(isDryRun ? '\nWould be published:' : '\nPublishing:');
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (name.isFile()) console.log(`  ${relative(root, join(name.parentPath, name.name))}`);
  }
  if (isDryRun) return 0;
  for (const tarball of tarballs) run('npm', 'publish', tarball, '--provenance');
  run('git', 'tag', `v${version}`);
  console.log(`Upload release/cdn/ to the CDN, and push the tag v${version}.`);
  return 0;
}

const output = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' });

function run(command, ...args) {
  execFileSync(command, args, { cwd: root, env: toolEnv(), stdio: 'inherit' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
  process.exitCode = await release({ isDryRun: values['dry-run'] });
}
