import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as Testing from 'ofage-mock/testing';
import { readExample } from '../../support/examples.ts';
import { withCustomer, type Cell } from '../cell.ts';
import type { Customer } from '../customer.ts';
import { askShop, checkShop, CUSTOMER, withoutBrowser, type Shop } from '../shop.ts';

const NEXT = readExample('next');

/** The component of the example, with the SDK of a production build. */
const REACT_COMPONENT = {
  'app/age-gate.tsx': NEXT['app/age-gate.tsx']!,
  'app/of-age.ts': `export { OfAge } from 'ofage'; export const apiKey = 'pk_your_publishable_key';`,
};

interface Framework {
  readonly name: string;
  readonly why: string;
  readonly project: string;
  readonly fixtures?: Readonly<Record<string, string>>;
  /** Files of an example: path and content. */
  readonly files?: Readonly<Record<string, string>>;
  /** The arguments of the command that builds the shop, unless it is served in development. */
  readonly build?: readonly string[];
  readonly start: Shop['start'];
  readonly env?: Readonly<Record<string, string>>;
  readonly check?: (customer: Customer) => NonNullable<Shop['check']>;
}

/** The key for the page, which a build needs, under both names that the example gives it. */
const PUBLIC = {
  OFAGE_PUBLISHABLE_KEY: 'pk_your_publishable_key',
  NEXT_PUBLIC_OFAGE_PUBLISHABLE_KEY: 'pk_your_publishable_key',
};

/** Builds a shop without any secret, serves it, and checks its page and its routes. */
function cell({
  name,
  why,
  project,
  fixtures = {},
  files = {},
  build,
  check,
  ...shop
}: Framework): Cell {
  return {
    name,
    why,
    project,
    skip: withoutBrowser,
    run: () =>
      withCustomer({ project, fixtures, files }, async (customer) => {
        if (build) await customer.node(build, { env: PUBLIC, timeoutMs: 600_000 });
        await checkShop(customer, {
          ...shop,
          page: 'popup',
          ...(check && { check: check(customer) }),
        });
      }),
  };
}

interface Next {
  readonly version: string;
  readonly why: string;
  readonly project: string;
  readonly flags?: readonly string[];
}

const NEXT_PROGRAM = 'node_modules/next/dist/bin/next';

/** Versions 13 and 14 refuse a configuration in TypeScript. */
const { 'next.config.ts': NEXT_CONFIG, 'package.json': _, ...NEXT_FILES } = NEXT;

const runNext =
  (command: 'start' | 'dev') =>
  (port: number): readonly string[] => [NEXT_PROGRAM, command, '-H', '127.0.0.1', '-p', `${port}`];

/** All versions build the example, with the Server Components of `nightly/next`. */
const next = ({ version, why, project, flags = [] }: Next): Cell =>
  cell({
    name: `Next.js ${version}`,
    why,
    project,
    fixtures: { app: '../nightly/next/app' },
    check: () => checkServerComponents,
    files: NEXT_FILES,
    build: [NEXT_PROGRAM, 'build', ...flags],
    start: runNext('start'),
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

const ROUTE = 'app/age-check/route.ts';

/** Edits the route while it is served, and expects that it still has the results of earlier sessions. */
const checkAfterEdit =
  ({ folder }: Customer): NonNullable<Shop['check']> =>
  async (url, { control, tenantId }) => {
    const verified = { tenantId, name: 'verified', externalUserId: CUSTOMER } as const;
    const { id } = await control.trigger(verified);
    const before = await askShop(url, id);
    const code = readFileSync(join(folder, ROUTE), 'utf8');
    writeFileSync(join(folder, ROUTE), code.replace('{ access:', '{ isEdited: true, access:'));
    let answer = before;
    while (answer === before) {
      await sleep(100);
      answer = await askShop(url, id);
    }
    if (answer !== '200 {"isEdited":true,"access":true}')
      throw new Error(`After an edit of its file, /age-check answered ${answer}`);
  };

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
  cell({
    name: 'Next.js 16.4, the example in development',
    why: 'a reader starts it so, and its page calls the mock',
    project: 'next',
    files: { ...NEXT_FILES, 'next.config.ts': NEXT_CONFIG! },
    start: runNext('dev'),
    check: checkAfterEdit,
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
    files: REACT_COMPONENT,
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
