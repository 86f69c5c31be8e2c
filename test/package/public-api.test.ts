import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { readBuilt, ROOT } from './built.ts';

const ENTRIES = ['index', 'server', 'mock', 'mock-node', 'mock-client', 'testing', 'conformance'];

it('the public API matches its snapshot, because a change affects customers', async () => {
  if (changedAtMs('mock.d.cts') < changedAtMs('mock.js'))
    throw new Error('npm run build:mock does not build the declarations: run npm run build');
  const shared = readdirSync(join(ROOT, 'dist/shared'))
    .filter((name) => name.endsWith('.d.cts'))
    .map((name) => `shared/${name}`);
  const files = [...ENTRIES.map((name) => `${name}.d.cts`), ...shared.sort()];
  const parts = files.map((file) => `// dist/${file}\n\n${withoutComments(readBuilt(file))}`);
  await expect(parts.join('\n')).toMatchFileSnapshot('public-api.d.ts.snap');
});

it.each(ENTRIES)('%s has the same declarations for ES modules and CommonJS', (name) => {
  const copy = readBuilt(`${name}.d.cts`);
  expect([copy, `export * from './${name}.cjs';\n`]).toContain(readBuilt(`${name}.d.ts`));
});

function changedAtMs(name: string): number {
  return statSync(join(ROOT, 'dist', name)).mtimeMs;
}

/** Removes the comments, which may change without notice, unlike the types. */
function withoutComments(declarations: string): string {
  const file = ts.createSourceFile('index.d.ts', declarations, ts.ScriptTarget.Latest);
  return ts.createPrinter({ removeComments: true }).printFile(file);
}
