// Releases one package: checks the tree, builds, packs, lints the tarball, lays out the CDN's folder, and tags.
//   npm run release -- ofage --dry-run    prints what would be released
//   npm run release -- ofage              tags the commit; pushing the tag starts the workflow that publishes
//   npm run release -- ofage --publish    what the workflow runs; does nothing twice, so it can be run again
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { installAll, root, toolEnv } from './install.mjs';
import { hash } from './integrity.mjs';
import { npmCommand } from './platform.mjs';
import {
  findPackage,
  PUBLISHED_HASH,
  PUBLISHED_VERSION,
  QUOTING,
  readText,
  readVersion,
  VERSION_LINE,
} from './packages.mjs';

/** The files that a script tag may load, and the hashes for its integrity attribute. */
const CDN_FILES = ['sdk.min.js', 'ofage.min.js', 'integrity.json'];

/**
 * Returns the problems that prevent a release, each with its cure.
 *
 * @param facts `status` is the output of `git status --porcelain`. `taggedCommit` is the commit of the tag, or
 *   undefined. `isPublishing` is true if this run publishes. `versions` are the places that must have the
 *   version, each with the one that it has.
 */
export function findProblems({
  name,
  version,
  tag,
  changelog,
  status,
  commit,
  taggedCommit,
  isPublishing = false,
  versions,
}) {
  const released = new RegExp(`^## ${version.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d$`, 'm');
  const cure = `Run npm run bump -- ${name} ${version}, and commit.`;
  return [
    status !== '' && `The working tree has changes. Commit or stash them:\n${status}`,
    taggedCommit !== undefined &&
      taggedCommit !== commit &&
      `The tag ${tag} exists at another commit. Run npm run bump -- ${name} with the next version.`,
    isPublishing &&
      taggedCommit === undefined &&
      `This commit has no tag ${tag}, and only a tagged commit is published. Run npm run release -- ${name}, and push the tag.`,
    !released.test(changelog) &&
      `The changelog has no heading "## ${version} - YYYY-MM-DD". ${cure}`,
    /^## Unreleased$/m.test(changelog) &&
      'The changelog has a heading "Unreleased". Its changes need a version of their own: run npm run bump.',
    ...Object.entries(versions)
      .filter(([, found]) => found !== version)
      .map(([place, found]) => `${place} has the version ${found}, not ${version}. ${cure}`),
  ].filter(Boolean);
}

/** Returns the places that must have a package's version, each with the version that it has. */
function readVersions({ name, source, inLock }) {
  const quoting = name === 'ofage' ? QUOTING : [];
  return Object.fromEntries([
    [source, VERSION_LINE.exec(readText(source))?.[2]],
    ['package-lock.json', JSON.parse(readText('package-lock.json')).packages[inLock].version],
    ...quoting.flatMap((file) =>
      Array.from(readText(file).matchAll(PUBLISHED_VERSION), ([found]) => [file, found]),
    ),
  ]);
}

/** Returns the files that quote another hash than that of the built script. */
function findOtherHashes() {
  const built = hash(readFileSync(join(root, 'dist/sdk.min.js')));
  return QUOTING.filter((file) =>
    Array.from(readText(file).matchAll(PUBLISHED_HASH)).some(([found]) => found !== built),
  );
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

/** Returns what `findProblems` judges. */
export function readFacts(name) {
  const chosen = findPackage(name);
  const version = readVersion(chosen);
  const tag = chosen.tagPrefix + version;
  return {
    name,
    version,
    tag,
    changelog: readText(join(chosen.folder, 'CHANGELOG.md')),
    status: git('status', '--porcelain'),
    commit: git('rev-parse', 'HEAD'),
    taggedCommit:
      git('tag', '--list', tag) === '' ? undefined : git('rev-parse', `${tag}^{commit}`),
    versions: readVersions(chosen),
  };
}

async function release(name, { 'dry-run': isDryRun, publish: isPublishing }) {
  const facts = readFacts(name);
  const { version, tag } = facts;
  const problems = findProblems({ ...facts, isPublishing });
  if (problems.length > 0) return fail(...problems);
  const code = (await installAll()) || (await build());
  if (code !== 0) return code;

  const folder = join(root, 'release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const packed = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: join(root, findPackage(name).folder),
  });
  const [{ filename, entryCount, unpackedSize }] = Object.values(JSON.parse(packed));
  const tarball = join(folder, filename);
  run('publint', [tarball, '--strict'], { stdio: 'inherit' });
  run('attw', [tarball], { stdio: 'inherit' });
  if (name === 'ofage') {
    const others = findOtherHashes();
    if (others.length > 0)
      return fail(
        `${others.join(', ')} quote another hash than that of this build. Run npm run bump -- ofage ${version}, and commit.`,
      );
    layOutCdn(join(folder, 'cdn'), version);
  }
  console.log(`release/${filename}: ${entryCount} files, ${unpackedSize} bytes unpacked`);
  if (isDryRun) return 0;
  if (isPublishing) return publish({ name, version, tarball });
  if (git('tag', '--list', tag) === '') git('tag', tag);
  console.log(`Tagged ${tag}. Publish it with: git push origin ${tag}`);
  return 0;
}

/** Publishes a tarball, unless an earlier run has done so. */
function publish({ name, version, tarball }) {
  if (isPublished(name, version)) {
    console.log(`${name} ${version} is published already.`);
    return 0;
  }
  npm(['publish', tarball, '--provenance'], { stdio: 'inherit' });
  return 0;
}

function isPublished(name, version) {
  try {
    return npm(['view', `${name}@${version}`, 'version']).trim() === version;
  } catch {
    return false; // npm answers with an error if it does not know the package or the version
  }
}

/** In a container, the checkout can belong to another user, which Git refuses without this setting. */
const git = (...args) =>
  execFileSync('git', ['-c', `safe.directory=${resolve(root)}`, ...args], {
    cwd: root,
    encoding: 'utf8',
  }).trimEnd();

function npm(args, options) {
  const [command, ...first] = npmCommand();
  return run(command, [...first, ...args], options);
}

function run(command, args, options) {
  return execFileSync(command, args, { cwd: root, env: toolEnv(), encoding: 'utf8', ...options });
}

function fail(...reasons) {
  for (const reason of reasons) console.error(reason);
  return 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flag = { type: 'boolean', default: false };
  try {
    const { values, positionals } = parseArgs({
      options: { 'dry-run': flag, publish: flag },
      allowPositionals: true,
    });
    process.exitCode = await release(positionals[0], values);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
  }
}
