import { readFileSync } from 'node:fs';
import type * as Testing from 'ofage-mock/testing';
import { readCodeBlock } from '../../support/code-blocks.ts';
import { withCustomer, type Cell } from '../cell.ts';
import { checkShop, withoutBrowser, type Shop } from '../shop.ts';

const SNIPPETS = new URL('../../server/recipes/snippets/', import.meta.url);
const ageGate = (): string =>
  readCodeBlock('docs/guides/react-vue-svelte.md', 'tsx', 'export function AgeGate');

interface Framework {
  readonly name: string;
  readonly why: string;
  readonly project: string;
  readonly fixtures?: Readonly<Record<string, string>>;
  /** Files of the documentation: path and content. */
  readonly files?: () => Readonly<Record<string, string>>;
  readonly build: readonly string[];
  readonly start: Shop['start'];
  readonly env?: Readonly<Record<string, string>>;
  readonly check?: NonNullable<Shop['check']>;
}

/** Builds a shop without any secret, serves it, and checks its page and its routes. */
function cell({ name, why, project, fixtures = {}, files, build, ...shop }: Framework): Cell {
  return {
    name,
    why,
    project,
    skip: withoutBrowser,
    run: () =>
      withCustomer({ project, fixtures, files: files?.() ?? {} }, async (customer) => {
        await customer.node(build, { timeoutMs: 600_000 });
        await checkShop(customer, { ...shop, page: 'popup' });
      }),
  };
}

interface Next {
  readonly version: string;
  readonly why: string;
  readonly project: string;
  readonly flags?: readonly string[];
}

/** All versions build the shop of `nightly/next`. */
const next = ({ version, why, project, flags = [] }: Next): Cell =>
  cell({
    name: `Next.js ${version}`,
    why,
    project,
    fixtures: { app: '../nightly/next/app', 'tsconfig.json': '../nightly/next/tsconfig.json' },
    check: checkServerComponents,
    files: () => ({
      'app/age-gate.tsx': ageGate(),
      'app/webhooks/ofage/route.ts': readFileSync(new URL('next.ts', SNIPPETS), 'utf8'),
    }),
    build: ['node_modules/next/dist/bin/next', 'build', ...flags],
    start: (port) => [
      'node_modules/next/dist/bin/next',
      'start',
      '-H',
      '127.0.0.1',
      '-p',
      `${port}`,
    ],
  });

/** Visits Server Components, whose `fetch` is that of Next.js, and expects that each visit reaches the service. */
async function checkServerComponents(
  url: string,
  { control }: Testing.PlaywrightAccount,
): Promise<void> {
  const visit = async (path: string): Promise<string | undefined> => {
    const html = await (await fetch(`${url}${path}`)).text();
    return /<p id="said">([^<]*)<\/p>/.exec(html)?.[1];
  };
  const expectSaid = async (path: string, expected: string): Promise<void> => {
    const said = await visit(path);
    if (said !== expected) throw new Error(`${path} said ${said}, expected ${expected}`);
  };

  const [first, second] = [await visit('/start?customer=1'), await visit('/start?customer=1')];
  if (first === undefined || first === second) throw new Error(`/start said ${first}, ${second}`);
  const path = `/return?sessionId=${first}`;
  await expectSaid(path, 'pending');
  await expectSaid(path, 'pending');
  await control.settle(first, 'verified');
  await expectSaid(path, 'verified');
  await expectSaid(path, 'session_already_used');
}

export const frameworkCells: readonly Cell[] = [
  next({
    version: '16.4, Turbopack',
    why: 'the build imports every route, without the variables',
    project: 'next',
    flags: ['--turbopack'],
  }),
  next({
    version: '16.4, webpack',
    why: 'the other bundler of Next.js',
    project: 'next',
    flags: ['--webpack'],
  }),
  next({ version: '15.5', why: 'it is still in wide use', project: 'next-15' }),
  next({
    version: '14.2',
    why: 'it caches every fetch of a Server Component, also a POST',
    project: 'next-14',
  }),
  next({ version: '13.5', why: 'it caches in the same way', project: 'next-13' }),
  cell({
    name: 'SvelteKit 3.2, adapter-node',
    why: 'the build imports every route, without the variables',
    project: 'sveltekit',
    build: ['node_modules/vite/bin/vite.js', 'build'],
    start: ['build'],
    // SvelteKit's default limit is lower than that of the handler, and would apply first.
    env: { BODY_SIZE_LIMIT: '2M' },
  }),
  cell({
    name: 'Nuxt 4.5',
    why: 'its server has h3 1, whose events are not requests of the Fetch standard',
    project: 'nuxt',
    build: ['node_modules/nuxt/bin/nuxt.mjs', 'build'],
    start: ['.output/server/index.mjs'],
  }),
  cell({
    name: 'React Router 8.4',
    why: 'StrictMode mounts every effect twice',
    project: 'react-router',
    fixtures: { 'app/fetch-shop.ts': 'fetch-shop.ts' },
    files: () => ({ 'app/age-gate.tsx': ageGate() }),
    build: ['node_modules/@react-router/dev/bin.cjs', 'build'],
    start: ['node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'],
  }),
  cell({
    name: 'Astro 7.3, node adapter',
    why: 'it bundles the scripts of a page itself',
    project: 'astro',
    fixtures: { 'src/fetch-shop.ts': 'fetch-shop.ts', 'src/page.js': 'page.js' },
    build: ['node_modules/astro/bin/astro.mjs', 'build'],
    start: ['dist/server/entry.mjs'],
  }),
];
