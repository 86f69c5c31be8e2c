import { statSync } from 'node:fs';
import { join } from 'node:path';
import { withCustomer, type Cell } from '../cell.ts';
import type { Customer } from '../customer.ts';
import { checkGlobal, withoutBrowser } from '../shop-page.ts';
import { checkShop } from '../shop.ts';

interface Page {
  readonly name: string;
  readonly code: string;
  /** The limit of its minified code, in bytes. The SDK alone has 13,000, and a bundler's own code up to 1,000. */
  readonly limit: number;
}

/** Pages that use the SDK, besides `fixtures/page.js`. */
const PAGES: readonly Page[] = [
  { name: 'return', code: `import { handleReturn } from 'ofage'; handleReturn();`, limit: 2_500 },
  { name: 'nothing', code: `import * as ofage from 'ofage'; console.log(1);`, limit: 1_000 },
  { name: 'script', code: `import 'ofage/sdk.min.js';`, limit: 20_000 },
];

/** A page with the other entries, which a bundler finds by `exports` or by the folders of the package. */
const SUBPATHS: Page = {
  name: 'subpaths',
  code: `import { verifyWebhook } from 'ofage/server';
    import { SCENARIOS } from 'ofage/mock/client';
    import { createTestOfAge } from 'ofage/testing';
    console.log(verifyWebhook, SCENARIOS, createTestOfAge);`,
  limit: 60_000,
};

const SHOP_LIMIT = 20_000;

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
          expectSize(customer, page);
        }
        await checkShop(customer, {
          start: ['server.mjs'],
          page: 'popup',
          check: (url) => checkGlobal(`${url}/script`),
        });
      }),
  };
}

function withPages(
  pages: readonly Page[],
  check: (customer: Customer) => Promise<void>,
): Promise<void> {
  const files = pages.map(({ name, code }) => [`${name}.js`, code]);
  const fixtures = { 'shop.js': 'page.js', 'fetch-shop.ts': 'fetch-shop.ts' };
  return withCustomer({ project: 'bundlers', fixtures, files: Object.fromEntries(files) }, check);
}

/** Fails after a warning, even one that does not end the build. */
function expectSilence(output: string): void {
  if (/\bwarn/i.test(output)) throw new Error(`The build warns:\n${output}`);
}

function expectSize({ folder }: Customer, { name, limit }: Pick<Page, 'name' | 'limit'>): void {
  const { size } = statSync(join(folder, 'out', `${name}.js`));
  if (size > limit) throw new Error(`The page ${name} has ${size} bytes, more than ${limit}`);
}

const script =
  (bundler: string) =>
  (page: string): readonly string[] => ['build.mjs', bundler, page];

export const pageBundlerCells: readonly Cell[] = [
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
