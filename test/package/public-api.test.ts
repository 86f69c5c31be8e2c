import ts from 'typescript';
import { expect, it } from 'vitest';
import { readBuilt } from './built.ts';

const ENTRIES = {
  ofage: 'index',
  'ofage/server': 'server',
  'ofage/mock': 'mock',
  'ofage/mock/node': 'mock-node',
  'ofage/mock/client': 'mock-client',
};

it('the public API matches its snapshot, because a change affects customers', async () => {
  const parts = Object.entries(ENTRIES).map(
    ([entry, name]) => `// ${entry}\n\n${withoutComments(readBuilt(`${name}.d.ts`))}`,
  );
  await expect(parts.join('\n')).toMatchFileSnapshot('public-api.d.ts.snap');
});

it.each(Object.values(ENTRIES))('the declarations for ESM and CommonJS are equal: %s', (name) => {
  expect(readBuilt(`${name}.d.cts`)).toBe(readBuilt(`${name}.d.ts`));
});

/** Removes the comments, which may change without notice, unlike the types. */
function withoutComments(declarations: string): string {
  const file = ts.createSourceFile('index.d.ts', declarations, ts.ScriptTarget.Latest);
  return ts.createPrinter({ removeComments: true }).printFile(file);
}
