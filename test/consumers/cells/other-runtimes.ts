import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withCustomer, type Cell } from '../cell.ts';
import { NIGHTLY, type Customer } from '../customer.ts';
import { checkShop, type Shop } from '../shop.ts';

const project = 'runtimes';
const RECIPE = new URL('../../server/recipes/snippets/fetch.ts', import.meta.url);

/** The programs of the packages `bun` and `deno`, whose install scripts would only link to them. */
const program = (path: string): string => join(NIGHTLY, project, 'node_modules', path);
const BUN = program('@oven/bun-linux-x64/bin/bun');
const DENO = program('@deno/linux-x64-glibc/deno');

const onlyLinux = (): string | undefined =>
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `the paths above are those of linux x64, not of ${process.platform} ${process.arch}`;

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

export const otherRuntimeCells: readonly Cell[] = [
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
  serve({
    name: 'workerd, as in Cloudflare Workers',
    why: 'it is not Node, even with `nodejs_compat`',
    prepare: ({ node }) => node(['build.mjs']),
    shop: { start: ['workerd.mjs'] },
  }),
];
