// Writes a folder with a package.json for each entry of both packages, for resolvers that do not read
// `exports`: Parcel 2, webpack 4, eslint-plugin-import and TypeScript's node10. Git ignores these folders.
//   node scripts/old-resolvers.mjs
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

for (const folder of ['.', 'mock-server']) {
  const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  for (const [path, target] of Object.entries(exports)) {
    const { import: esm, require: cjs } = target;
    if (path === '.' || path.includes('*') || cjs?.types === undefined) continue;
    write(folder, path, {
      // `ofage/global` has only types.
      main: cjs.default,
      module: esm.default,
      types: cjs.types,
      sideEffects: false,
    });
  }
}
for (const name of ['sdk.min', 'ofage.min'])
  write('.', `${name}.js`, { main: `./dist/${name}.cjs`, types: './dist/global.d.ts' });
copyFileSync(join(root, 'dist/integrity.json'), join(root, 'integrity.json'));

/** Writes the package.json of a folder. `files` has paths in the package, and further fields. */
function write(folder, path, files) {
  const up = (value) => (typeof value === 'string' ? value.replace(/^\.\//, '../') : value);
  const fields = Object.entries(files).map(([name, value]) => [name, up(value)]);
  mkdirSync(join(root, folder, path), { recursive: true });
  // The type is that of the sources, which are in the same folder for some entries of the mock.
  const content = JSON.stringify({ type: 'module', ...Object.fromEntries(fields) }, null, 2);
  writeFileSync(join(root, folder, path, 'package.json'), `${content}\n`);
}
