// Gives a package its next version, everywhere. Commit what it writes.
//   npm run bump -- ofage 3.5.7
//   npm run bump -- ofage-mock 1.0.1
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSdk } from './build.mjs';
import { writeFacts } from './facts.mjs';
import { install, root } from './install.mjs';
import { hash } from './integrity.mjs';
import {
  EXAMPLES,
  findPackage,
  PUBLISHED_HASH,
  PUBLISHED_VERSION,
  QUOTING,
  readText,
  readVersion,
  VERSION_LINE,
} from './packages.mjs';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await bump(...process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
  }
}

async function bump(name, version) {
  const chosen = findPackage(name);
  assertNext(version, readVersion(chosen));
  writeVersion(chosen, version);
  change(join(chosen.folder, 'CHANGELOG.md'), (text) => dateChanges(text, version));
  if (name === 'ofage') {
    // The hash is that of a build with the new version.
    const code = (await install()) || (await buildSdk());
    if (code !== 0) return code;
    writePublished(version);
    writeFacts();
  }
  console.log(`${name} is ${version} now. Commit the changes, and run npm test.`);
  return 0;
}

/**
 * Checks a version. The same one again is allowed, because it renews the date and the hash before the release.
 *
 * @throws RangeError if it is no version, or lower than the current one
 */
export function assertNext(version, current) {
  if (!/^\d+\.\d+\.\d+$/.test(version ?? ''))
    throw new RangeError(`Name the next version, such as 3.5.7, got ${version ?? 'none'}`);
  const numbers = (text) =>
    text
      .split('.')
      .map((part) => part.padStart(6, '0'))
      .join('.');
  if (numbers(version) < numbers(current))
    throw new RangeError(`The next version must not be lower than ${current}, got ${version}`);
}

function writeVersion({ name, folder, source, inLock }, version) {
  change(join(folder, 'package.json'), (text) =>
    text.replace(/^( {2}"version": ")[^"]*/m, `$1${version}`),
  );
  change('package-lock.json', (text) => {
    const lock = JSON.parse(text);
    lock.packages[inLock].version = version;
    // The lock file repeats the version of the root.
    if (inLock === '') lock.version = version;
    return `${JSON.stringify(lock, null, 2)}\n`;
  });
  change(source, (text) => text.replace(VERSION_LINE, `$1${version}`));
  const dependency = new RegExp(`^( {4}"${name}": ")[^"]*`, 'm');
  for (const file of EXAMPLES) change(file, (text) => text.replace(dependency, `$1${version}`));
}

/** Puts the changes below "Unreleased", or those of the same version, below a heading with today's date. */
export function dateChanges(changelog, version) {
  const heading = `## ${version} - ${new Date().toISOString().slice(0, 10)}`;
  const open = new RegExp(`^## (Unreleased|${version.replaceAll('.', '\\.')} - .*)$`, 'gm');
  const headings = changelog.match(open) ?? [];
  if (headings.length === 0)
    throw new Error(
      'The changelog has no heading "## Unreleased". Write what users notice below one, above the last version.',
    );
  if (headings.length > 1)
    throw new Error(
      `The changelog has the headings ${headings.map((one) => `"${one}"`).join(' and ')}, and all changes belong to ${version}. Write them below one of them, and remove the other.`,
    );
  return changelog.replace(open, heading);
}

/** Writes the address and the hash of the script that this version publishes. */
function writePublished(version) {
  const integrity = hash(readFileSync(join(root, 'dist/sdk.min.js')));
  for (const file of QUOTING) {
    change(file, (text) =>
      text.replace(PUBLISHED_VERSION, version).replace(PUBLISHED_HASH, integrity),
    );
  }
}

function change(file, toChanged) {
  writeFileSync(join(root, file), toChanged(readText(file)));
}
