import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ENTRIES } from '../../../scripts/entries.mjs';
import { withCustomer, type Cell } from '../cell.ts';
import { findPackage, type Customer } from '../customer.ts';
import { checkGlobal, checkShop, withoutBrowser } from '../shop.ts';

interface Page {
  readonly name: string;
  readonly code: string;
  /** The limit of its minified code, in bytes. The SDK alone has 13,000. */
  readonly limit: number;
}

/** Pages that use one function or none. A side effect in a module would put the whole SDK into them. */
const SMALL_PAGES: readonly Page[] = [
  { name: 'return', code: `import { handleReturn } from 'ofage'; handleReturn();`, limit: 2_000 },
  { name: 'check', code: `import { selfCheck } from 'ofage'; selfCheck();`, limit: 2_000 },
  { name: 'nothing', code: `import * as ofage from 'ofage'; console.log(1);`, limit: 200 },
];

/** Pages that use the SDK, besides `fixtures/page.js`. */
const PAGES: readonly Page[] = [
  ...SMALL_PAGES,
  { name: 'script', code: `import 'ofage/sdk.min.js';`, limit: 20_000 },
];

/** A page with the other entries, which a bundler finds by `exports` or by the folders of the package. */
const SUBPATHS: Page = {
  name: 'subpaths',
  code: `import { verifyWebhook } from 'ofage/server';
    import { SCENARIOS } from 'ofage-mock/client';
    import { createTestOfAge } from 'ofage-mock/testing';
    console.log(verifyWebhook, SCENARIOS, createTestOfAge);`,
  limit: 60_000,
};

const SHOP_LIMIT = 20_000;

/** The limit in bytes of the code that most bundlers add to each page. esbuild adds none. */
const OWN_LIMIT = 800;

interface Bundler {
  readonly name: string;
  readonly why: string;
  /** Returns the arguments for Node that build a page to `out/`. */
  readonly build: (page: string) => readonly string[];
  readonly pages?: readonly Page[];
}

/** Builds the pages, checks their sizes, and uses them in Chromium. */
function cell({ name, why, build, pages = [...PAGES, SUBPATHS] }: Bundler): Cell {
  return {
    name,
    why,
    project: 'bundlers',
    skip: withoutBrowser,
    run: () =>
      withPages(pages, async (customer) => {
        for (const page of [{ name: 'shop', limit: SHOP_LIMIT }, ...pages]) {
          expectSilence(await customer.node(build(page.name)));
          expectSize(customer, page, OWN_LIMIT);
        }
        await checkShop(customer, {
          start: ['server.mjs'],
          page: 'popup',
          check: (url) => checkGlobal(`${url}/script`),
        });
      }),
  };
}

const toFiles = (pages: readonly Page[]) =>
  Object.fromEntries(pages.map(({ name, code }) => [`${name}.js`, code]));

function withPages(
  pages: readonly Page[],
  check: (customer: Customer) => Promise<void>,
): Promise<void> {
  const fixtures = { 'shop.js': 'page.js', 'fetch-shop.ts': 'fetch-shop.ts' };
  return withCustomer({ project: 'bundlers', fixtures, files: toFiles(pages) }, check);
}

/** Fails after a warning, even one that does not end the build. */
function expectSilence(output: string): void {
  if (/\bwarn/i.test(output)) throw new Error(`The build warns:\n${output}`);
}

function expectSize(
  { folder }: Customer,
  { name, limit }: Pick<Page, 'name' | 'limit'>,
  ownLimit = 0,
): void {
  const { size } = statSync(join(folder, 'out', `${name}.js`));
  const most = limit + ownLimit;
  if (size > most) throw new Error(`The page ${name} has ${size} bytes, more than ${most}`);
}

const script =
  (bundler: string) =>
  (page: string): readonly string[] => ['build.mjs', bundler, page];

/** A program that bundles one page, and fails after a warning. */
const BUILD = `import { build } from 'esbuild';
const [page] = process.argv.slice(2);
const { warnings } = await build({
  entryPoints: [page + '.js'],
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
          files: { ...toFiles(SMALL_PAGES), 'build.mjs': BUILD },
        },
        async (customer) => {
          for (const page of SMALL_PAGES) {
            await customer.node(['build.mjs', page.name]);
            expectSize(customer, page);
          }
        },
      ),
  },
  {
    name: 'webpack 4: subpaths without `exports`',
    why: 'older resolvers read only the main fields of package.json',
    run: () =>
      withCustomer({}, async ({ folder }) => {
        for (const entry of ENTRIES) {
          resolveWithoutExports(folder, entry);
        }
      }),
  },
  cell({
    name: 'webpack 5.112',
    why: 'it drops modules by `sideEffects`',
    build: script('webpack'),
  }),
  cell({
    name: 'webpack 4.47, the browser SDK',
    why: 'it does not read `exports`',
    build: script('webpack-4'),
    pages: PAGES,
  }),
  {
    name: 'webpack 4.47, the other entries without a loader',
    why: 'the table must not promise more than works',
    project: 'bundlers',
    limit: {
      because: 'webpack 4 cannot parse their syntax of 2022',
      says: /dist\/server\.js[\s\S]*Module parse failed/,
    },
    run: () =>
      withPages([SUBPATHS], async ({ node }) => {
        await node(['build.mjs', 'webpack-4', SUBPATHS.name]);
      }),
  },
  cell({
    name: 'Rspack 2.3',
    why: 'it reads the fields of package.json itself',
    build: script('rspack'),
  }),
  cell({
    name: 'Vite 8.3',
    why: 'its bundler is Rolldown',
    build: script('vite'),
  }),
  cell({
    name: 'Parcel 2.16',
    why: 'by default, it does not read `exports`',
    build: (page) => [
      'node_modules/parcel/lib/bin.js',
      'build',
      `${page}.js`,
      '--dist-dir=out',
      '--no-source-maps',
      '--no-cache',
      '--no-autoinstall',
    ],
  }),
];
