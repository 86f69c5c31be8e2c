/** Pages whose other scripts come from a module loader, with the SDK as a script tag or as a module of it. */
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { JSDOM, VirtualConsole } from 'jsdom';
import { expect, it } from 'vitest';
import { listen } from '../support/listen.ts';
import { readBuilt } from './built.ts';
import { waitFor } from '../support/wait-for.ts';

const resolve = createRequire(import.meta.url).resolve;

/** The script as it is published, and as a mock serves it. */
const SCRIPTS = {
  published: () => readBuilt('ofage', 'sdk.min.js'),
  served: () => readBuilt('ofage', 'sdk.min.js') + readBuilt('ofage-mock', 'reporter.js'),
};
let script: keyof typeof SCRIPTS = 'published';

const FILES: Record<string, () => string> = {
  '/sdk.min.js': () => SCRIPTS[script](),
  '/require.js': () => readFileSync(resolve('requirejs/require.js'), 'utf8'),
  '/system.js': () => readFileSync(resolve('systemjs/dist/system.js'), 'utf8'),
  '/amd.js': () => readFileSync(resolve('systemjs/dist/extras/amd.js'), 'utf8'),
  // A script of the shop, as an anonymous module.
  '/basket.js': () => 'define([], () => "basket");',
  // A script of the shop that needs the SDK.
  '/gate.js': () => 'define(["ofage"], (OfAge) => OfAge.VERSION);',
};

/** Loads a page whose body has these scripts. Each note is a call of `note()` or an error of the page. */
async function load(...scripts: string[]): Promise<{ window: any; notes: unknown[] }> {
  const server = createServer(({ url = '/' }, response) => {
    const file = FILES[url];
    response.setHeader('content-type', file ? 'text/javascript' : 'text/html');
    response.end(file ? file() : `<!doctype html><title>Shop</title><body>${scripts.join('\n')}`);
  });
  const port = await listen(server);
  const notes: unknown[] = [];
  const virtualConsole = new VirtualConsole();
  virtualConsole.on('jsdomError', ({ message }) => notes.push(message));
  const { window } = await JSDOM.fromURL(`http://127.0.0.1:${port}/`, {
    runScripts: 'dangerously',
    resources: 'usable',
    virtualConsole,
    beforeParse(page) {
      Object.assign(page, { note: (value: unknown) => notes.push(value), fetch: () => {} });
    },
  });
  return { window, notes };
}

const file = (path: string): string => `<script src="${path}"></script>`;
const inline = (code: string): string => `<script>${code}</script>`;
const REQUIRE = file('/require.js');
const SDK = file('/sdk.min.js');
const SYSTEM = file('/system.js') + file('/amd.js');
const PATHS = `requirejs.config({ paths: { ofage: '/sdk.min' } });`;
/** The configuration that an earlier guide printed. */
const SHIM = `requirejs.config({ paths: { ofage: '/sdk.min' }, shim: { ofage: { exports: 'OfAge' } } });`;
const OTHER_NAME = `requirejs.config({ paths: { age: '/sdk.min' }, shim: { age: { exports: 'OfAge' } } });`;
const askFor = (...names: string[]): string =>
  `requirejs(${JSON.stringify(names)}, (...modules) => note(modules.map((it) => it === OfAge ? 'SDK' : it)), (error) => note(error.message));`;
const BASKET = inline(askFor('/basket.js'));
const LATER = inline('addEventListener("load", () => note(typeof OfAge));');

const PAGES: [page: string, scripts: string[], notes: unknown[]][] = [
  ['has no loader', [SDK, LATER], ['function']],
  ['loads RequireJS before the SDK', [REQUIRE, SDK, LATER, BASKET], [['basket'], 'function']],
  ['loads RequireJS after the SDK', [SDK, REQUIRE, LATER, BASKET], [['basket'], 'function']],
  [
    'loads the SDK through RequireJS by its name',
    [REQUIRE, inline(PATHS + askFor('ofage'))],
    [['SDK']],
  ],
  [
    'loads the SDK through RequireJS with a shim',
    [REQUIRE, inline(SHIM + askFor('ofage'))],
    [['SDK']],
  ],
  [
    'loads the SDK through RequireJS under another name, with a shim',
    [REQUIRE, inline(OTHER_NAME + askFor('age'))],
    [['SDK']],
  ],
  [
    'loads the SDK through RequireJS beside another module',
    [REQUIRE, inline(PATHS + askFor('/basket.js', 'ofage'))],
    [['basket', 'SDK']],
  ],
  [
    'has the SDK as a script tag and as a dependency of a module',
    [
      REQUIRE,
      inline(PATHS),
      SDK,
      inline(`requirejs(['/gate.js'], (version) => note(version === OfAge.VERSION));`),
    ],
    [true],
  ],
  [
    'imports the SDK with SystemJS',
    [
      SYSTEM,
      inline(`System.import('/sdk.min.js').then((it) => note(it.default === OfAge), note);`),
    ],
    [true],
  ],
  ['loads SystemJS before the SDK', [SYSTEM, SDK, LATER], ['function']],
  [
    'has a function define() of its own',
    [inline('function define() { note("called"); }'), SDK, LATER],
    ['function'],
  ],
  [
    'has a loader that refuses every module, after which the global is there',
    [inline('function define() { throw new Error("refused"); } define.amd = {};'), SDK, LATER],
    ['Uncaught [Error: refused]', 'function'],
  ],
];

it.each(
  (['published', 'served'] as const).flatMap((name) =>
    PAGES.map((page) => [name, ...page] as const),
  ),
)('the %s SDK works on a page that %s', async (name, _, scripts, expected) => {
  script = name;
  const { window, notes } = await load(...scripts);
  await waitFor(() => expect(notes.length).toBeGreaterThanOrEqual(expected.length));
  expect(notes.toSorted()).toEqual(expected.toSorted());
  expect(window.OfAge.VERSION).toMatch(/^\d/);
  window.close();
});
