/**
 * Runs the code of the guides for other test runners and frameworks, as printed, with the packed package.
 */
import { describe, it } from 'vitest';
import { readCodeBlock } from '../support/code-blocks.ts';
import { withCustomer } from './cell.ts';
import type { Customer, CustomerOptions } from './customer.ts';

const unavailable = process.env['CONSUMERS_UNAVAILABLE'];
if (unavailable !== undefined) console.warn(`Skipped the guides: ${unavailable}`);

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

describe('the code of the guide, as printed, works with', () => {
  const test = unavailable === undefined ? it.concurrent : it.concurrent.skip;
  const customer = (options: CustomerOptions, check: (customer: Customer) => Promise<void>) => () =>
    withCustomer(options, check);

  test(
    'Jest',
    customer(
      {
        packages: { jest: 'jest' },
        type: 'commonjs',
        files: {
          'age-check.test.js': readCodeBlock('docs/guides/unit-tests.md', 'js', 'beforeAll'),
          'jest.config.json': '{}',
        },
      },
      async ({ node }) => {
        await node(['node_modules/jest/bin/jest.js', '--watchman=false', '--runInBand']);
      },
    ),
  );

  test(
    'node:test',
    customer(
      {
        files: {
          'age-check.test.mjs': readCodeBlock('docs/guides/unit-tests.md', 'js', 'node:test'),
        },
      },
      async ({ node }) => {
        await node(['--test']);
      },
    ),
  );

  test(
    'Vue',
    customer(
      {
        packages: { vue: 'vue', jsdom: 'jsdom' },
        files: {
          ...VUE,
          'AgeGate.vue': readCodeBlock('docs/guides/react-vue-svelte.md', 'vue', 'AgeGate'),
        },
      },
      async ({ node }) => {
        await node(['compile.mjs']);
        await node(['click.mjs']);
      },
    ),
  );

  test(
    'Svelte',
    customer(
      {
        packages: { svelte: 'svelte', jsdom: 'jsdom' },
        files: {
          ...SVELTE,
          'AgeGate.svelte': readCodeBlock('docs/guides/react-vue-svelte.md', 'svelte', 'AgeGate'),
        },
      },
      async ({ node }) => {
        await node(['compile.mjs']);
        await node(['--conditions=browser', 'click.mjs']);
      },
    ),
  );
});
