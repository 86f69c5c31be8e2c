import { readdirSync, statSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { builtPath, readBuilt, type PackageName } from './built.ts';

const ENTRIES = [
  ['ofage', ['index', 'server']],
  ['ofage-mock', ['index', 'node', 'client', 'testing', 'conformance']],
] as const satisfies readonly (readonly [PackageName, readonly string[]])[];

it('the public API matches its snapshot, because a change affects customers', async () => {
  if (changedAtMs('index.d.cts') < changedAtMs('index.js'))
    throw new Error('npm run build:mock does not build the declarations: run npm run build');
  const shared = readdirSync(builtPath('ofage-mock', 'shared'))
    .filter((name) => name.endsWith('.d.cts'))
    .map((name) => `shared/${name}`);
  const parts = ENTRIES.flatMap(([name, entries]) => {
    const files = entries.map((entry) => `${entry}.d.cts`);
    return [...files, ...(name === 'ofage-mock' ? shared.sort() : [])].map(
      (file) => `// ${name}/dist/${file}\n\n${withoutComments(readBuilt(name, file))}`,
    );
  });
  // A release changes the version, and no type that depends on it.
  const text = parts.join('\n').replace(/VERSION = "[\d.]+"/, 'VERSION = "…"');
  await expect(text).toMatchFileSnapshot('public-api.d.ts.snap');
});

it.each(ENTRIES.flatMap(([name, entries]) => entries.map((entry) => [name, entry] as const)))(
  '%s: %s has the same declarations for ES modules and CommonJS',
  (name, entry) => {
    const copy = readBuilt(name, `${entry}.d.cts`);
    expect([copy, `export * from './${entry}.cjs';\n`]).toContain(readBuilt(name, `${entry}.d.ts`));
  },
);

function changedAtMs(name: string): number {
  return statSync(builtPath('ofage-mock', name)).mtimeMs;
}

/** Removes the comments, which may change without notice, unlike the types. */
function withoutComments(declarations: string): string {
  const file = ts.createSourceFile('index.d.ts', declarations, ts.ScriptTarget.Latest);
  return ts.createPrinter({ removeComments: true }).printFile(file);
}
