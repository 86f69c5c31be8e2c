import { join } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Installed, installTarball } from './built.ts';

let installed: Installed;
beforeAll(() => {
  installed = installTarball();
});
afterAll(() => installed?.remove());

/** Bundles a page that imports an entry of the package without using an export, and returns the code. */
async function bundleImport(entry: string): Promise<string> {
  const name = join(installed.folder, 'page.js');
  const page = {
    name: 'page',
    resolveId: (id: string) => (id === name ? id : null),
    load: (id: string) => (id === name ? `import '${entry}';` : null),
  };
  const bundle = await rollup({
    input: name,
    plugins: [page, nodeResolve()],
    external: [/^node:/, 'msw'],
    onwarn: () => {},
  });
  const { output } = await bundle.generate({ format: 'es' });
  return output[0].code.trim();
}

it.each(['ofage/sdk.min.js', 'ofage/ofage.min.js'])(
  'a bundler keeps the import of %s, which sets a global',
  async (entry) => {
    expect(await bundleImport(entry)).toContain('.OfAge=');
  },
);

it.each(['ofage', 'ofage/server', 'ofage/mock/client', 'ofage/testing', 'ofage/conformance'])(
  'a bundler drops the unused import of %s',
  async (entry) => {
    expect(await bundleImport(entry)).toBe('');
  },
);
