import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installTarballs, MANIFESTS, ROOT, type Installed } from './built.ts';

interface Entry {
  readonly entry: string;
  /** The expected exports with their `typeof`. */
  readonly offers: Readonly<Record<string, string>>;
}

const ENTRIES: readonly Entry[] = [
  {
    entry: 'ofage',
    offers: { OfAge: 'function', default: 'function', VERSION: 'string', handleReturn: 'function' },
  },
  { entry: 'ofage/server', offers: { createClient: 'function', verifyWebhook: 'function' } },
  { entry: 'ofage-mock/node', offers: { startMockServer: 'function' } },
  {
    entry: 'ofage-mock/client',
    offers: { createControlClient: 'function', ControlError: 'function' },
  },
  {
    entry: 'ofage-mock/conformance',
    offers: { conform: 'function', createControlDriver: 'function', CHECKS: 'object' },
  },
];

/** The mock needs the optional peer `msw`, because it creates handlers for it. */
const MOCK: Entry = {
  entry: 'ofage-mock',
  offers: { createMockService: 'function', createIndexedDbLog: 'function' },
};

const NODES = [
  { version: 'this Node', path: process.execPath },
  ...['/usr/bin/node', '/usr/local/bin/node', process.env['NODE_20'] ?? '']
    .filter((path) => versionOf(path).startsWith('v20.'))
    .slice(0, 1)
    .map((path) => ({ version: 'Node 20', path })),
];
if (NODES.length === 1)
  console.warn('Skipped the imports in Node 20, which was not found. Set NODE_20 to its path.');

let installed: Installed;

beforeAll(() => {
  installed = installTarballs();
});

afterAll(() => {
  installed?.remove();
});

describe.each(NODES)('in $version without other packages', ({ path }) => {
  describe.each(['import', 'require'] as const)('can load with %s', (how) => {
    it.each(ENTRIES)('$entry', ({ entry, offers }) => {
      const types = expect.objectContaining(offers);
      expect(typesOf(path, how, entry)).toEqual({ types, noise: '' });
    });
  });
});

describe.each(['ofage/sdk.min.js', 'ofage/ofage.min.js'])(
  '%s, the file for script tags',
  (entry) => {
    it('exports the constructor to require() without setting the global', () => {
      const script = `const OfAge = require('${entry}');
      const ofAge = new OfAge({ apiKey: 'pk_test_1', returnUrl: 'https://shop.example/return' });
      console.log(JSON.stringify([typeof ofAge.verify, OfAge.VERSION, typeof globalThis.OfAge]));`;
      expect(run(process.execPath, 'commonjs', script)).toEqual({
        stdout: `["function","${MANIFESTS.ofage.version}","undefined"]\n`,
        stderr: '',
      });
    });

    it('sets the global when imported as a module', () => {
      const script = `await import('${entry}'); console.log(globalThis.OfAge.VERSION);`;
      expect(run(process.execPath, 'module', script)).toEqual({
        stdout: `${MANIFESTS.ofage.version}\n`,
        stderr: '',
      });
    });
  },
);

it.each(['ofage/sdk.min.js', 'ofage/ofage.min.js'])(
  'a bundler keeps the import of %s, which sets a global',
  async (entry) => {
    expect(await bundleImport(entry)).toContain('.OfAge=');
  },
);

it.each([
  'ofage',
  'ofage/server',
  'ofage-mock/client',
  'ofage-mock/testing',
  'ofage-mock/conformance',
])('a bundler drops the unused import of %s', async (entry) => {
  expect(await bundleImport(entry)).toBe('');
});

it.each(ENTRIES)(
  'a bundler that knows only ES modules finds the exports of $entry',
  async ({ entry, offers }) => {
    const names = Object.keys(offers).filter((name) => name !== 'default');
    const code = await bundle(`export { ${names.join(', ')} } from '${entry}';`);
    for (const name of names) expect(code).toMatch(new RegExp(`export \\{[^}]*\\b${name}\\b`));
  },
);

// This block must be last, because msw stays in the folder.
describe('with msw installed', () => {
  beforeAll(() => {
    symlinkSync(join(ROOT, 'node_modules/msw'), join(installed.folder, 'node_modules/msw'));
  });

  it.each(['import', 'require'] as const)('ofage-mock can be loaded with %s', (how) => {
    const types = expect.objectContaining(MOCK.offers);
    expect(typesOf(process.execPath, how, MOCK.entry)).toEqual({ types, noise: '' });
  });
});

/** Bundles a page that imports an entry of the package without using an export, and returns the code. */
const bundleImport = (entry: string): Promise<string> => bundle(`import '${entry}';`);

/** Bundles a page with Rollup and returns the code. */
async function bundle(source: string): Promise<string> {
  const name = join(installed.folder, 'page.js');
  const page = {
    name: 'page',
    resolveId: (id: string) => (id === name ? id : null),
    load: (id: string) => (id === name ? source : null),
  };
  const built = await rollup({
    input: name,
    plugins: [page, nodeResolve()],
    external: [/^node:/, 'msw', 'pg'],
    onwarn: () => {},
  });
  const { output } = await built.generate({ format: 'es' });
  return output[0].code.trim();
}

/** Loads an entry in a new process in the customer's folder and returns the types of its exports. */
function typesOf(
  node: string,
  how: 'import' | 'require',
  entry: string,
): { types: unknown; noise: string } {
  const load = how === 'import' ? `await import('${entry}')` : `require('${entry}')`;
  const script = `const found = ${load};
    console.log(JSON.stringify(Object.fromEntries(Object.entries(found).map(([name, it]) => [name, typeof it]))));`;
  const { stdout, stderr } = run(node, how === 'import' ? 'module' : 'commonjs', script);
  return { types: stdout ? JSON.parse(stdout) : null, noise: stderr };
}

/** Runs a script in a new process in the customer's folder. */
function run(
  node: string,
  type: 'module' | 'commonjs',
  script: string,
): { stdout: string; stderr: string } {
  const { stdout, stderr } = spawnSync(node, [`--input-type=${type}`, '-e', script], {
    cwd: installed.folder,
    encoding: 'utf8',
  });
  return { stdout, stderr };
}

function versionOf(path: string): string {
  return path === '' ? '' : (spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '');
}
