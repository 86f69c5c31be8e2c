// Packs the packages as npm would publish them: `ofage`, and `ofage-mock`, which only has the command.
//   node scripts/pack.mjs FOLDER    writes both tarballs to the folder
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The fields of package.json that only this repository needs. */
const ONLY_HERE = ['private', 'scripts', 'devDependencies', 'prettier'];

/** Packs `ofage`. Needs a build. Returns the path of the tarball. */
export function packPackage(folder) {
  return withStage((stage) => {
    for (const name of ['dist', 'LICENSE', 'CHANGELOG.md']) {
      cpSync(join(root, name), join(stage, name), {
        recursive: true,
        // The mock compresses responses itself if there are no .br files, which would make the package
        // larger. The notes about licences are only for the build.
        filter: (path) => !path.endsWith('.br') && !path.endsWith('/.notices'),
      });
    }
    // A copy in the root folder serves resolvers that do not read `exports`.
    cpSync(join(root, 'dist/integrity.json'), join(stage, 'integrity.json'));
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    writeFileSync(join(stage, 'README.md'), withAbsoluteLinks(readme));
    writeJson(join(stage, 'package.json'), toPublished(manifest));
    for (const [path, content] of subpathFolders(manifest.exports)) {
      mkdirSync(join(stage, path), { recursive: true });
      writeJson(join(stage, path, 'package.json'), content);
    }
    return pack(stage, folder);
  });
}

/** Packs `ofage-mock`, which depends on the same version of `ofage`. Returns the path of the tarball. */
export function packCommand(folder) {
  return withStage((stage) => {
    const source = join(root, 'mock-server/cli/npx');
    cpSync(source, stage, { recursive: true });
    cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
    const { version, license, author, homepage, repository, engines, publishConfig } =
      toPublished(manifest);
    writeJson(join(stage, 'package.json'), {
      ...JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')),
      version,
      license,
      author,
      homepage,
      repository,
      engines,
      publishConfig,
      dependencies: { [manifest.name]: version },
    });
    return pack(stage, folder);
  });
}

/** Makes the links of the README absolute, because the package has no docs folder. */
export function withAbsoluteLinks(markdown) {
  return markdown.replace(/(\]\()(?!https?:|#)([^)#]+)(#[^)]*)?(?=\))/g, (_, start, path, hash) => {
    const page = path
      .replace(/^docs\//, '')
      .replace(/(^|\/)README\.md$/, '$1')
      .replace(/\.md$/, '')
      .toLowerCase();
    return `${start}${manifest.homepage}/${page}${hash ?? ''}`;
  });
}

/**
 * Returns a manifest without the fields that only this repository needs, and with the address for bug
 * reports. The manifest in the repository is private, so that the folder cannot be published by mistake.
 */
function toPublished(source) {
  const entries = Object.entries(source).filter(([name]) => !ONLY_HERE.includes(name));
  const { url } = source.repository;
  const bugs = url.replace(/^git\+/, '').replace(/\.git$/, '/issues');
  return { ...Object.fromEntries(entries), bugs };
}

/**
 * Returns a package.json for each subpath such as `mock/node`, for resolvers that do not read `exports`:
 * Parcel 2, webpack 4, eslint-plugin-import and TypeScript's node10.
 */
function subpathFolders(exports) {
  const entries = Object.entries(exports)
    .filter(([subpath, target]) => /^\.\/[^*]+$/.test(subpath) && target.require?.types)
    .map(([subpath, target]) => {
      const up = '../'.repeat(subpath.split('/').length - 1);
      const toPath = (path) => path.replace('./', up);
      const content = {
        // `ofage/global` has only types.
        ...(target.require.default && {
          main: toPath(target.require.default),
          module: toPath(target.import.default),
        }),
        types: toPath(target.require.types),
        sideEffects: false,
      };
      return [subpath, content];
    });
  return [...entries, ...scriptTagFolders()];
}

/** Returns a package.json for each file that a script tag loads. */
function scriptTagFolders() {
  return ['sdk.min.js', 'ofage.min.js'].map((name) => [
    name,
    { main: `../dist/${name.replace(/js$/, 'cjs')}`, types: '../dist/global.d.ts' },
  ]);
}

function withStage(run) {
  const stage = mkdtempSync(join(tmpdir(), 'ofage-stage-'));
  try {
    return run(stage);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function pack(stage, folder) {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', resolve(folder)];
  const name = execFileSync('npm', args, { cwd: stage, encoding: 'utf8', env: npmEnv() }).trim();
  return join(resolve(folder), name);
}

/**
 * Returns the environment without the variables that `npm test` sets for this project, because they would
 * also configure an npm that runs in another folder.
 */
export function npmEnv() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')),
  );
}

function writeJson(path, content) {
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = '.'] = process.argv.slice(2);
  for (const path of [packPackage(folder), packCommand(folder)]) console.log(path);
}
