// Writes the licence texts of the third-party code in the bundles, as these licences require.
//   node scripts/third-party-notices.mjs    writes mock-server/dist/THIRD-PARTY-NOTICES.txt, and the same for the static site
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toSlashes } from './platform.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * The folder of the notes. It is beside the bundles, so that both are deleted together, and it is not in
 * the package.
 */
const notes = join(root, 'mock-server/dist/.notices');

/** The files to write, each with the bundles whose packages it lists. */
const OUTPUTS = {
  'mock-server/dist/THIRD-PARTY-NOTICES.txt': ['mock-es', 'mock-cjs', 'pages'],
  'dist-static/THIRD-PARTY-NOTICES.txt': ['static', 'static-service'],
};

/** Returns a plugin for Rollup and Vite that notes the packages of a bundle's modules and files. */
export const notePackages = (bundle) => ({
  name: 'note-packages',
  generateBundle(_, files) {
    const paths = Object.values(files).flatMap((file) => [
      ...(file.moduleIds ?? []),
      ...(file.originalFileNames ?? []),
    ]);
    mkdirSync(notes, { recursive: true });
    writeFileSync(join(notes, `${bundle}.json`), JSON.stringify(foldersOf(paths)));
  },
});

/** Returns the folders of the innermost packages that contain the files, relative to the project. */
export function foldersOf(paths) {
  const innermost = /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/;
  return [...new Set(paths.flatMap((path) => innermost.exec(toSlashes(path))?.[0] ?? []))];
}

/**
 * Returns the packages of an output, sorted by name. Some packages contain no text of their licence.
 *
 * @throws Error if a package names no licence
 */
export function readPackages(output) {
  const folders = OUTPUTS[output].flatMap((bundle) => readJson(join(notes, `${bundle}.json`)));
  const packages = [...new Set(folders)].map((path) => {
    const folder = join(root, path);
    const { name, version, license } = readJson(join(folder, 'package.json'));
    if (!license) throw new Error(`The package ${name} names no licence`);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file && readFileSync(join(folder, file), 'utf8').trim();
    return { name, version, license, text };
  });
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toNotices(output) {
  const parts = readPackages(output).map(
    ({ name, version, license, text = 'The package contains no text of its licence.' }) =>
      `${name} ${version} (${license})\n\n${text}\n`,
  );
  const line = `\n${'-'.repeat(80)}\n\n`;
  return ['This software contains the following packages.\n', ...parts].join(line);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const output of Object.keys(OUTPUTS)) writeFileSync(join(root, output), toNotices(output));
}
