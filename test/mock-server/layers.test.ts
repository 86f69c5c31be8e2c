import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** The folders of mock-server. A folder imports only from those after it. */
const LAYERS = ['cli', 'hosts', 'service', 'doctor', 'send', 'rules', 'api', 'store'];

/** Matches the path of an import or an export, of a value or a type, and of a dynamic import. */
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

const ROOT = new URL('../../mock-server/', import.meta.url).pathname;
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));

/** The files outside of the folders are entries of the package, above all layers. */
const layerOf = (file: string): number => LAYERS.indexOf(file.split('/')[0]!);

const imports = files.flatMap((file) =>
  Array.from(readFileSync(ROOT + file, 'utf8').matchAll(IMPORT), ([, path = '']) => ({
    file,
    target: join(dirname(file), path),
  })),
);

it('imports only from the layers below', () => {
  // The command also uses the conformance kit, and the help pages those of the documentation.
  const inside = imports.filter(({ target }) => !target.startsWith('..'));
  expect(inside.length).toBeGreaterThan(500);
  const upward = inside.filter(({ file, target }) => layerOf(target) < layerOf(file));
  expect(upward.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

it('has no folder besides the layers', () => {
  const folders = new Set(
    files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]),
  );
  expect([...folders].toSorted()).toEqual(LAYERS.toSorted());
});
