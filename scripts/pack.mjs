// Packs the packages as npm would publish them: `ofage`, and `ofage-mock`, which only has the command.
//   npm run tarballs [-- FOLDER]    builds if needed, and writes both tarballs to the folder, or to release/
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './build.mjs';
import { install, root } from './install.mjs';

const manifest = readJson('package.json');
const { name, version, homepage, repository } = manifest;

/**
 * The manifest without the fields that only this repository needs. It is private there, so that the folder
 * cannot be published by mistake.
 */
const published = {
  ...manifest,
  private: undefined,
  scripts: undefined,
  devDependencies: undefined,
  allowScripts: undefined,
  prettier: undefined,
  bugs: repository.url.replace(/^git\+/, '').replace(/\.git$/, '/issues'),
};

/** Packs `ofage`. Needs a build. Returns the path of the tarball. */
export const packPackage = (folder) =>
  pack(folder, (stage) => {
    for (const path of ['dist', 'LICENSE', 'CHANGELOG.md'])
      cpSync(join(root, path), join(stage, path), {
        recursive: true,
        // The notes about licences are only for the build.
        filter: (file) => !file.endsWith('/.notices'),
      });
    // A copy in the root folder serves resolvers that do not read `exports`.
    cpSync(join(root, 'dist/integrity.json'), join(stage, 'integrity.json'));
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    writeFileSync(join(stage, 'README.md'), withAbsoluteLinks(readme));
    for (const [path, content] of Object.entries(foldersForOldResolvers())) {
      mkdirSync(join(stage, path), { recursive: true });
      writeJson(join(stage, path, 'package.json'), content);
    }
    return published;
  });

/** Packs `ofage-mock`, which depends on the same version of `ofage`. Returns the path of the tarball. */
export const packCommand = (folder) =>
  pack(folder, (stage) => {
    cpSync(join(root, 'mock-server/cli/npx'), stage, { recursive: true });
    cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE'));
    const { license, author, engines, publishConfig } = manifest;
    return {
      ...readJson('mock-server/cli/npx/package.json'),
      version,
      license,
      author,
      homepage,
      repository,
      engines,
      publishConfig,
      dependencies: { [name]: version },
    };
  });

/** Makes the links of the README absolute, because the package has no docs folder. */
const withAbsoluteLinks = (markdown) =>
  markdown.replace(/(\]\()(?!https?:|#)([^)#]+)(#[^)]*)?(?=\))/g, (_, start, path, hash = '') => {
    const page = path.replace(/^docs\//, '').replace(/(README)?\.md$/, '');
    return `${start}${homepage}/${page.toLowerCase()}${hash}`;
  });

/**
 * Returns a package.json for each subpath such as `mock/node` and for each file that a script tag loads, for
 * resolvers that do not read `exports`: Parcel 2, webpack 4, eslint-plugin-import and TypeScript's node10.
 */
function foldersForOldResolvers() {
  const folders = {};
  for (const [path, { import: esm, require: cjs }] of Object.entries(manifest.exports)) {
    if (path === '.' || path.includes('*') || cjs?.types === undefined) continue;
    const toPath = (file) => file?.replace('./', '../'.repeat(path.split('/').length - 1));
    folders[path] = {
      // `ofage/global` has only types.
      main: toPath(cjs.default),
      module: toPath(esm.default),
      types: toPath(cjs.types),
      sideEffects: false,
    };
  }
  for (const file of ['sdk.min', 'ofage.min'])
    folders[`${file}.js`] = { main: `../dist/${file}.cjs`, types: '../dist/global.d.ts' };
  return folders;
}

/** Packs a temporary folder that `fill` fills, and whose package.json is what `fill` returns. */
function pack(folder, fill) {
  const stage = mkdtempSync(join(tmpdir(), 'ofage-stage-'));
  try {
    writeJson(join(stage, 'package.json'), fill(stage));
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', resolve(folder)];
    const file = execFileSync('npm', args, { cwd: stage, encoding: 'utf8', env: npmEnv() });
    return join(resolve(folder), file.trim());
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/**
 * Returns the environment without the variables that `npm test` sets for this project, because they would
 * also configure an npm that runs in another folder.
 */
export const npmEnv = () =>
  Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('npm_')));

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

function writeJson(path, content) {
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}

async function main([folder = join(root, 'release')]) {
  const code = (await install()) || (isBuilt() ? 0 : await build());
  if (code !== 0) return code;
  mkdirSync(folder, { recursive: true });
  for (const pack of [packPackage, packCommand]) console.log(pack(folder));
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2));
}
