import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toSnippet } from '../../../playground/demo/code/snippets.ts';
import { DEFAULT_OPTIONS } from '../../../playground/demo/options.ts';
import { findCodeBlocks } from '../../support/code-blocks.ts';
import { withCustomer, type Cell } from '../cell.ts';
import { checkShop } from '../shop.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A program that listens for a route that exports a function of the Fetch standard. */
const serveFetch = (module: string, handler: string): string => `
import { createAdaptorServer } from '@hono/node-server';
import * as route from './${module}';
createAdaptorServer({ fetch: ${handler} }).listen(Number(process.env.PORT), '127.0.0.1');
`;

/** SvelteKit generates this module. */
export const SVELTEKIT = {
  'node_modules/$app/package.json':
    '{ "type": "module", "exports": { "./env/private": "./env.js" } }',
  'node_modules/$app/env.js':
    'export const { OFAGE_SECRET_KEY, OFAGE_WEBHOOK_SECRET, OFAGE_API_BASE } = process.env;',
};

interface Surroundings {
  readonly packages?: Readonly<Record<string, string>>;
  /** What the framework adds to the printed module, with `main.mjs`, which listens. */
  readonly files: Readonly<Record<string, string>>;
}

const FETCH_SERVER = { '@hono/node-server': '@hono/node-server' };

/** What the printed modules need in order to run, by the path in their first line. */
const SURROUNDINGS: Readonly<Record<string, Surroundings>> = {
  'app/age-check/route.ts': {
    packages: FETCH_SERVER,
    files: { 'main.mjs': serveFetch('app/age-check/route.ts', 'route.POST') },
  },
  'src/routes/age-check/+server.ts': {
    packages: FETCH_SERVER,
    files: {
      'main.mjs': serveFetch(
        'src/routes/age-check/+server.ts',
        '(request) => route.POST({ request })',
      ),
      ...SVELTEKIT,
    },
  },
  'server/routes/age-check.post.ts': {
    packages: { h3: 'h3-1' },
    files: {
      'main.mjs': `
import { createServer } from 'node:http';
import { createApp, defineEventHandler, readBody, toNodeListener } from 'h3';
// Nuxt imports these functions automatically.
Object.assign(globalThis, { defineEventHandler, readBody });
const { default: route } = await import('./server/routes/age-check.post.ts');
createServer(toNodeListener(createApp().use('/age-check', route))).listen(
  Number(process.env.PORT),
  '127.0.0.1',
);
`,
    },
  },
};

interface PrintedServer extends Surroundings {
  readonly name: string;
  readonly path: string;
  readonly code: string;
}

/** The servers that are files of an example, which examples.ts runs. */
const OF_AN_EXAMPLE = ['server.js', 'app.ts'];

/** Returns the other servers of the guides, which decide about access. */
function findServers(): PrintedServer[] {
  return globSync('docs/guides/*.md', { cwd: ROOT }).flatMap((page) =>
    findCodeBlocks(readFileSync(`${ROOT}${page}`, 'utf8'))
      .filter(({ code }) => /^import .*\bgrantsAccess\b.*'ofage\/server'/ms.test(code))
      .map((block) => ({ ...block, path: /^\/\/ (\S+)$/m.exec(block.code)?.[1] ?? '' }))
      .filter(({ path }) => !OF_AN_EXAMPLE.includes(path))
      .map(({ code, line, path }) => {
        const surroundings = SURROUNDINGS[path];
        if (surroundings === undefined) {
          throw new Error(`${page}:${line}: printed-servers.ts cannot run the server "${path}"`);
        }
        return { name: `${page}, ${path}`, path, code, ...surroundings };
      }),
  );
}

/** The server that the demo shop generates. */
const GENERATED: PrintedServer = {
  name: 'the code page of the demo shop',
  path: 'age-check.ts',
  code: toSnippet('server', DEFAULT_OPTIONS, {
    target: 'production',
    mock: { sdkUrl: '', apiBase: '', publishableKey: '' },
  }),
  packages: FETCH_SERVER,
  files: {
    'main.mjs': serveFetch('age-check.ts', `(request) => route.ageCheck(request, 'customer-42')`),
  },
};

const toCell = ({ name, path, code, packages, files }: PrintedServer): Cell => ({
  name: `The server of ${name}, as printed`,
  why: 'a reader copies it, and two requests for one session may arrive together',
  run: () =>
    withCustomer({ ...(packages && { packages }), files: { ...files, [path]: code } }, (customer) =>
      checkShop(customer, { start: ['main.mjs'], hasWebhooks: false }),
    ),
});

export const printedServerCells: readonly Cell[] = [...findServers(), GENERATED].map(toCell);
