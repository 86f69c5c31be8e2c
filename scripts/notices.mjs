// Writes the licence texts of the third-party code in the bundles, as these licences require.
//   node scripts/notices.mjs    writes dist/THIRD-PARTY-NOTICES.txt, and the same for the static site
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import license from 'rollup-plugin-license';

const root = fileURLToPath(new URL('../', import.meta.url));
/**
 * The folder of the notes. It is beside the bundles, so that both are deleted together, and it is not in
 * the package.
 */
const notes = join(root, 'dist/.notices');

/** Some packages name their licence in package.json only. */
const NO_TEXT = 'The package contains no text of its licence.';

/** The files to write, each with the bundles whose packages it lists. */
const OUTPUTS = {
  'dist/THIRD-PARTY-NOTICES.txt': ['mock-es', 'mock-cjs', 'pages'],
  'dist-static/THIRD-PARTY-NOTICES.txt': ['static', 'static-service'],
};

/**
 * Returns plugins for Rollup and Vite that note the packages of a bundle. The license plugin finds the
 * packages of its modules, with their licences. The bundler reports the packages of all modules and files.
 */
export function noteLicences(bundle) {
  return [
    license({
      thirdParty: (packages) => {
        const found = packages.map(({ name, version, license: id, licenseText }) => ({
          name,
          version,
          license: id,
          text: licenseText,
        }));
        save(`${bundle}.licences.json`, found);
      },
    }),
    {
      name: 'note-packages',
      generateBundle(_, files) {
        const paths = Object.values(files).flatMap((file) => [
          ...(file.moduleIds ?? []),
          ...(file.originalFileNames ?? []),
        ]);
        save(`${bundle}.packages.json`, packagesOf(paths));
      },
    },
  ];
}

/** Returns the names of the packages that contain the files, sorted. */
export function packagesOf(paths) {
  const names = paths.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return [...new Set(names.filter(Boolean))].sort();
}

/** Returns the notes about an output: its packages, and the licences by package. */
export function readNotes(output) {
  const packages = new Set();
  const licences = new Map();
  for (const bundle of OUTPUTS[output]) {
    for (const name of read(`${bundle}.packages.json`)) packages.add(name);
    for (const found of read(`${bundle}.licences.json`)) licences.set(found.name, found);
  }
  // Fonts are files and not modules, so the license plugin does not see them.
  for (const name of packages) if (!licences.has(name)) licences.set(name, readLicence(name));
  return { packages: [...packages].sort(), licences };
}

/** Returns the text of an output. Throws if a package names no licence. */
export function toNotices(output) {
  const { packages, licences } = readNotes(output);
  const parts = packages.map((name) => {
    const { version, license: id, text } = licences.get(name);
    if (!id) throw new Error(`The package ${name} names no licence`);
    return `${name} ${version} (${id})\n\n${text?.trim() || NO_TEXT}\n`;
  });
  return ['This software contains the following packages.\n', ...parts].join(
    `\n${'-'.repeat(80)}\n\n`,
  );
}

function readLicence(name) {
  const folder = join(root, 'node_modules', name);
  const { version, license: id } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return { name, version, license: id, text: file && readFileSync(join(folder, file), 'utf8') };
}

function save(name, value) {
  mkdirSync(notes, { recursive: true });
  writeFileSync(join(notes, name), JSON.stringify(value));
}

function read(name) {
  return JSON.parse(readFileSync(join(notes, name), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const output of Object.keys(OUTPUTS)) writeFileSync(join(root, output), toNotices(output));
}
