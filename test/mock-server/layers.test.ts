import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** The folders of mock-server. A folder imports only from those after it. */
const LAYERS = [
  'cli',
  'hosts',
  'help',
  'service',
  'doctor',
  'send',
  'rules',
  'words',
  'api',
  'store',
];

/** Parts of the package that use the service over HTTP, so they import only their own folder and `api/`. */
const CLIENTS = ['conformance', 'testing'];

/** Matches the path of an import or an export, of a value or a type, and of a dynamic import. */
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

const ROOT = new URL('../../mock-server/', import.meta.url).pathname;
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('dist'))
  .map((file) => file.replaceAll('\\', '/'));
const folderOf = (file: string): string => file.split('/')[0] ?? '';

/** The files outside of the folders are entries of the package, above all layers. */
const layerOf = (file: string): number => LAYERS.indexOf(folderOf(file));

const imports = files.flatMap((file) =>
  Array.from(readFileSync(ROOT + file, 'utf8').matchAll(IMPORT), ([, path = '']) => ({
    file,
    target: join(dirname(file), path),
  })),
);

it('imports only from the layers below', () => {
  // The help pages also use those of the documentation.
  const inside = imports.filter(
    ({ file, target }) =>
      !target.startsWith('..') && ![file, target].some((path) => CLIENTS.includes(folderOf(path))),
  );
  expect(inside.length).toBeGreaterThan(500);
  const upward = inside.filter(({ file, target }) => layerOf(target) < layerOf(file));
  expect(upward.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

it('the conformance kit and the fixtures import only api/, and only the command imports the kit', () => {
  const across = imports.filter(
    ({ file, target }) =>
      folderOf(file) !== folderOf(target) &&
      [file, target].some((path) => CLIENTS.includes(folderOf(path))),
  );
  const arrows = new Set(across.map(({ file, target }) => `${folderOf(file)} > ${target}`));
  const others = [...arrows].filter((arrow) => !/^(conformance|testing) > api\//.test(arrow));
  expect(others.toSorted()).toEqual([
    'cli > conformance/index.ts',
    'testing > ../src/brand.ts',
    'testing > ../src/testing.ts',
    // Only their types: the caller passes the function that creates a service.
    'testing > service/service-options.ts',
    'testing > service/service.ts',
  ]);
});

it('has no folder besides the layers', () => {
  const folders = new Set(files.filter((file) => file.includes('/')).map(folderOf));
  expect([...folders].toSorted()).toEqual([...LAYERS, ...CLIENTS].toSorted());
});
