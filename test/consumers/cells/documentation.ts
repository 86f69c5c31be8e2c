import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { findCodeBlocks, readCodeBlock } from '../../support/code-blocks.ts';
import { withCustomer, type Cell } from '../cell.ts';
import { checkWebhooks, withServer } from '../shop.ts';
import { SVELTEKIT } from './printed-servers.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SNIPPETS = new URL('../../server/recipes/snippets/', import.meta.url);

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

/** Nuxt imports this function automatically. */
const NUXT = 'globalThis.defineEventHandler = (handler) => handler;';

/** Returns the modules for servers in the guides: file name and JavaScript. */
function findServerModules(): Record<string, string> {
  const modules = globSync('docs/guides/*.md', { cwd: ROOT }).flatMap((page) =>
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

/**
 * Returns a program that mounts the compiled component in jsdom, which cannot open windows. A click must
 * start a verification, and the component must show its error. After it is unmounted, nothing of the
 * component may remain.
 */
const toClickTest = (mount: string): string => `
import { JSDOM } from 'jsdom';
const { window } = new JSDOM('<div id="app"></div>', { url: 'http://localhost/', pretendToBeVisual: true });
for (const name of Object.getOwnPropertyNames(window)) {
  if (!(name in globalThis)) globalThis[name] = window[name];
}
for (const name of ['window', 'document', 'location', 'Event', 'EventTarget'])
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
window.open = () => null;
const target = document.getElementById('app');
const props = { customerId: 'customer-42', decide: async () => true };
${mount}
document.querySelector('button').click();
for (let i = 0; i < 100 && document.querySelector('[role=status]').textContent === ''; i += 1)
  await new Promise((resolve) => setTimeout(resolve, 20));
const text = document.querySelector('[role=status]').textContent;
if (text !== 'Please allow the window') throw new Error('The status says: ' + text);
unmount();
if (document.querySelector('button')) throw new Error('The component is still there');
window.close();
`;

const VUE = {
  'compile.mjs': `
import { readFileSync, writeFileSync } from 'node:fs';
import { compileScript, parse } from 'vue/compiler-sfc';
const { descriptor, errors } = parse(readFileSync('AgeGate.vue', 'utf8'));
if (errors.length > 0) throw errors[0];
const { content } = compileScript(descriptor, { id: 'age-gate', inlineTemplate: true });
writeFileSync('AgeGate.js', content);
`,
  'click.mjs': toClickTest(`
const { createApp } = await import('vue');
const { default: AgeGate } = await import('./AgeGate.js');
const app = createApp(AgeGate, props);
app.mount(target);
const unmount = () => app.unmount();
`),
};

const SVELTE = {
  'compile.mjs': `
import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'svelte/compiler';
const { js, warnings } = compile(readFileSync('AgeGate.svelte', 'utf8'), { generate: 'client' });
const serious = warnings.filter(({ code }) => code !== 'non_reactive_update');
if (serious.length > 0) throw new Error(serious[0].message);
writeFileSync('AgeGate.js', js.code);
`,
  'click.mjs': toClickTest(`
const svelte = await import('svelte');
const { default: AgeGate } = await import('./AgeGate.js');
const component = svelte.mount(AgeGate, { target, props });
svelte.flushSync();
const unmount = () => { void svelte.unmount(component); svelte.flushSync(); };
`),
};

/** The module `./of-age` of a production build. Bundlers add the extension that Node needs. */
const OF_AGE = `export { OfAge } from 'ofage'; export const apiKey = 'pk_your_publishable_key';`;

/** Compiles the component of the guide for a framework, as printed, and clicks its button. */
const component = (
  framework: string,
  {
    file,
    files,
    flags = [],
  }: { file: string; files: Readonly<Record<string, string>>; flags?: readonly string[] },
): Cell => ({
  name: `${framework}: the component of the guide, as printed`,
  why: 'a reader copies it without an example of its own',
  run: () =>
    withCustomer(
      {
        packages: { [framework.toLowerCase()]: framework.toLowerCase(), jsdom: 'jsdom' },
        files: {
          ...files,
          'of-age': OF_AGE,
          [file]: readCodeBlock('docs/guides/react-vue-svelte.md', file.split('.')[1]!, 'AgeGate'),
        },
      },
      async ({ node }) => {
        await node(['compile.mjs']);
        await node([...flags, 'click.mjs']);
      },
    ),
});

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
  component('Vue', { file: 'AgeGate.vue', files: VUE }),
  component('Svelte', { file: 'AgeGate.svelte', files: SVELTE, flags: ['--conditions=browser'] }),
  {
    name: 'Express 4: the recipe for Express',
    why: 'most servers still run version 4, and the recipes are tested with 5',
    run: () =>
      withCustomer(
        {
          packages: { express: 'express-4' },
          files: {
            'app.ts': readFileSync(new URL('express.ts', SNIPPETS), 'utf8'),
            'server.mjs': `import { app } from './app.ts';
              app.listen(Number(process.env.PORT), '127.0.0.1');`,
          },
        },
        (customer) => withServer(customer, { start: ['server.mjs'] }, checkWebhooks),
      ),
  },
];
