// The two packages of this repository, and the places in which the version of each stands.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, with a separator at its end. */
const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * The packages by name. Paths are relative to the project.
 *
 * `folder` has the package's package.json and CHANGELOG.md. `sources` export its version as `VERSION`, because
 * they also run without a build. `inLock` is its key in package-lock.json. `tagPrefix` begins its tags.
 */
export const PACKAGES = {
  ofage: { folder: '.', source: 'src/brand.ts', inLock: '', tagPrefix: 'v' },
  'ofage-mock': {
    folder: 'mock-server',
    source: 'mock-server/cli/version.ts',
    inLock: 'mock-server',
    tagPrefix: 'mock-v',
  },
};

/** The manifests of the examples, which name the exact versions of both packages. */
export const EXAMPLES = ['next', 'script-tag', 'vite-express'].map(
  (name) => `examples/${name}/package.json`,
);

/** The line of a source that has the version, with the version as its second group. */
export const VERSION_LINE = /^(export const VERSION = ')([^']*)(?=')/m;

/**
 * Files that quote the address of the published script, some of them with its hash. Both are those of the last
 * release, which a build of newer sources does not change.
 */
export const QUOTING = [
  'docs/guides/go-live.md',
  'docs/guides/popup.md',
  'docs/guides/script-tag.md',
  'playground/demo/code/published-sdk.ts',
];

/** The version in an address of the published script, and its hash in a tag or in a constant. */
export const PUBLISHED_VERSION = /(?<=cdn\.ofage\.example\/ofage@|SDK_VERSION = ')[\d.]+(?=[/'])/g;
export const PUBLISHED_HASH = /(?<=integrity="|SDK_INTEGRITY =\s+')sha384-[^"']*/g;

/**
 * Returns the package of this name.
 *
 * @throws RangeError for another name
 */
export function findPackage(name) {
  const found = PACKAGES[name];
  if (found !== undefined) return { name, ...found };
  const names = Object.keys(PACKAGES).join(' or ');
  throw new RangeError(
    `Name a package: ${names}, got ${name === undefined ? 'none' : `"${name}"`}`,
  );
}

export const readText = (path) => readFileSync(join(root, path), 'utf8');

export const readVersion = ({ folder }) =>
  JSON.parse(readText(join(folder, 'package.json'))).version;
