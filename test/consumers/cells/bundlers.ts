import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { findPackage } from '../customer.ts';
import { withCustomer, type Cell } from '../cell.ts';

/** Pages of a customer, with a limit in bytes of the minified bundle. */
const PAGES = [
  { page: 'return', code: `import { handleReturn } from 'ofage'; handleReturn();`, limit: 2_000 },
  {
    page: 'check',
    code: `import { selfCheck } from 'ofage'; console.log(selfCheck());`,
    limit: 2_000,
  },
  {
    page: 'nothing',
    code: `import * as ofage from 'ofage'; console.log(1);`,
    limit: 200,
  },
];

/** A program that bundles one page, and fails after a warning. */
const BUILD = `import { build } from 'esbuild';
const [page] = process.argv.slice(2);
const { warnings } = await build({
  entryPoints: [page + '.mjs'],
  outfile: 'out/' + page + '.js',
  bundle: true,
  minify: true,
  format: 'esm',
});
if (warnings.length > 0) process.exit(1);
`;

/** Resolves a subpath by the fields of package.json only, as webpack 4 does. */
function resolveWithoutExports(folder: string, request: string): string {
  const require = createRequire(join(findPackage('enhanced-resolve'), 'package.json'));
  const { create } = require('enhanced-resolve') as {
    create: { sync(options: object): (from: string, request: string) => string };
  };
  return create.sync({
    mainFields: ['browser', 'module', 'main'],
    extensions: ['.mjs', '.js', '.json'],
  })(folder, request);
}

export const bundlerCells: readonly Cell[] = [
  {
    name: 'esbuild 0.28: pages that use one function stay small',
    why: 'a side effect in a module would put the whole SDK into every page',
    run: () =>
      withCustomer(
        {
          packages: { esbuild: 'esbuild' },
          files: {
            ...Object.fromEntries(PAGES.map(({ page, code }) => [`${page}.mjs`, code])),
            'build.mjs': BUILD,
          },
        },
        async ({ node, folder }) => {
          for (const { page, limit } of PAGES) {
            await node(['build.mjs', page]);
            const { length } = readFileSync(join(folder, `out/${page}.js`));
            if (length > limit) throw new Error(`${page} has ${length} bytes, more than ${limit}`);
          }
        },
      ),
  },
  {
    name: 'webpack 4: subpaths without `exports`',
    why: 'older resolvers read only the main fields of package.json',
    run: () =>
      withCustomer({}, async ({ folder }) => {
        for (const subpath of ['', '/server', '/mock', '/mock/node', '/mock/client', '/testing']) {
          resolveWithoutExports(folder, `ofage${subpath}`);
        }
      }),
  },
];
