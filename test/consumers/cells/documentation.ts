import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { findCodeBlocks, readCodeBlock } from '../../support/code-blocks.ts';
import { withCustomer, type Cell } from '../cell.ts';
import { withoutBrowser } from '../shop-page.ts';
import { checkShop } from '../shop.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The packages that the modules of the guides import. */
const PACKAGES = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/platform-fastify',
  'express',
  'fastify',
  'h3',
  'hono',
  'koa',
  'reflect-metadata',
  'rxjs',
];

/** SvelteKit generates this module. The variables are not set. */
const SVELTEKIT = {
  'node_modules/$app/package.json':
    '{ "type": "module", "exports": { "./env/private": "./env.js" } }',
  'node_modules/$app/env.js': 'export let OFAGE_SECRET_KEY, OFAGE_WEBHOOK_SECRET, OFAGE_API_BASE;',
};

/** Nuxt imports this function automatically. */
const NUXT = 'globalThis.defineEventHandler = (handler) => handler;';

/** Returns the modules for servers in the README and the guides: file name and JavaScript. */
function findServerModules(): Record<string, string> {
  const pages = ['README.md', ...globSync('docs/guides/*.md', { cwd: ROOT })];
  const modules = pages.flatMap((page) =>
    findCodeBlocks(readFileSync(`${ROOT}${page}`, 'utf8'))
      .filter(({ language, code }) => language === 'ts' && isServerModule(code))
      .map(({ code, line }) => [
        `${page.replaceAll('/', '-')}-${line}.mjs`,
        toJavaScript(withoutListen(code)),
      ]),
  );
  return Object.fromEntries(modules);
}

/**
 * Tells whether the code is a module for a server. Tests and scripts are not, because they export nothing
 * or call the API at once.
 */
const isServerModule = (code: string): boolean =>
  code.includes(`from 'ofage/server'`) &&
  /^export /m.test(code) &&
  !/^(?:(?:export )?const .*= )?await /m.test(code);

function toJavaScript(code: string): string {
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    experimentalDecorators: true,
  };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

/** Removes the last statement of a server, which listens, because importing a module must not listen. */
const withoutListen = (code: string): string => code.replace(/^app\.listen\([\s\S]*/m, '');

/** The README's server, with the port of the test. */
const README_SERVER = readCodeBlock('README.md', 'js', '// server.mjs').replace(
  'listen(3000,',
  'listen(Number(process.env.PORT),',
);

export const documentationCells: readonly Cell[] = [
  {
    name: 'Every server module of the guides, without environment variables',
    why: 'builds of frameworks import the modules on machines without the secrets',
    run: () => {
      const modules = findServerModules();
      const names = Object.keys(modules);
      if (names.length < 15)
        throw new Error(`Expected at least 15 modules, found ${names.join(', ')}`);
      const imports = names.map((name) => `await import('./${name}');`);
      return withCustomer(
        {
          packages: Object.fromEntries(PACKAGES.map((name) => [name, name])),
          files: { ...SVELTEKIT, ...modules, 'index.mjs': [NUXT, ...imports].join('\n') },
        },
        async ({ node }) => {
          const output = await node(['index.mjs']);
          if (output !== '') throw new Error(`Expected no output, got: ${output}`);
        },
      );
    },
  },
  {
    name: 'The page, the server and the test of the README',
    why: 'they are what a reader copies first',
    skip: withoutBrowser,
    run: () =>
      withCustomer(
        {
          packages: { msw: 'msw' },
          files: {
            'page.html': readCodeBlock('README.md', 'html', '<!-- page.html -->'),
            'server.mjs': README_SERVER,
            'age-check.mjs': readCodeBlock('README.md', 'js', '// age-check.mjs'),
          },
        },
        async (customer) => {
          const output = await customer.node(['age-check.mjs']);
          if (output.trim() !== 'false') throw new Error(`Expected false, got: ${output}`);
          await checkShop(customer, {
            start: ['server.mjs'],
            page: 'redirect',
            hasWebhooks: false,
          });
        },
      ),
  },
];
