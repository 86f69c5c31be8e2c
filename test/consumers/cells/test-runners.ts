import { readFileSync } from 'node:fs';
import { readCodeBlock } from '../../support/code-blocks.ts';
import { withCustomer, type Cell } from '../cell.ts';

/** The test of the guide for Jest. Other tests come from `fixtures/`. */
const JEST_GUIDE = 'guide for Jest';

interface Setup extends Pick<Cell, 'isOnDemand'> {
  readonly msw: string;
  /** The tests to run. @default those of `environment` */
  readonly tests?: readonly string[];
  readonly environment?: string;
  /** Code that runs before the tests. */
  readonly setup?: string;
}

/** Runs tests in Jest's CommonJS mode, its default. */
function jest(
  name: string,
  why: string,
  { msw, tests = [], environment = 'node', setup }: Setup,
): Cell {
  const packages = { msw, jest: 'jest', 'jest-fixed-jsdom': 'jest-fixed-jsdom' };
  const config = { testEnvironment: environment, ...(setup && { setupFiles: ['./setup.js'] }) };
  const files = {
    ...Object.fromEntries(tests.map((test, at) => [`${at}.test.js`, toCommonJs(test)])),
    ...(setup && { 'setup.js': setup }),
    'jest.config.json': JSON.stringify(config),
  };
  return {
    name: `Jest 30, CommonJS, ${name}`,
    why,
    run: () =>
      withCustomer({ packages, type: 'commonjs', files }, async ({ node }) => {
        await node(['node_modules/jest/bin/jest.js', '--watchman=false', '--runInBand']);
      }),
  };
}

/** Converts the imports of a fixture, as a compiler does for Jest. */
function toCommonJs(test: string): string {
  if (test === JEST_GUIDE) return readCodeBlock('docs/guides/unit-tests.md', 'js', 'beforeAll');
  const code = readFileSync(new URL(`../fixtures/${test}`, import.meta.url), 'utf8');
  return code.replace(/^import (\{.*?\}) from ('.*?');$/gm, 'const $1 = require($2);');
}

/** Runs the tests of the guide for MSW under Vitest. */
function vitest(
  name: string,
  why: string,
  { msw, environment = 'node', isOnDemand = false }: Setup,
): Cell {
  const more = environment === 'node' ? [] : ['dom.test.mjs', 'server.test.mjs'];
  const packages = { msw, vitest: 'vitest-5' };
  const args = ['run', '--globals', '--environment', environment, '--no-file-parallelism'];
  return {
    name: `Vitest, ${name}`,
    why,
    isOnDemand,
    run: () =>
      withCustomer({ packages, fixtures: ['guide.test.mjs', ...more] }, async ({ node }) => {
        await node(['node_modules/vitest/vitest.mjs', ...args]);
      }),
  };
}

export const testRunnerCells: readonly Cell[] = [
  vitest('msw 2.0.14', 'the lowest version of the peer range', { msw: 'msw-2.0' }),
  vitest('msw 2.10.5', 'the last version that loads in the CommonJS mode of Jest', {
    msw: 'msw-2.10',
    isOnDemand: true,
  }),
  vitest('msw 2.15.0', 'the last version 2', { msw: 'msw-2', isOnDemand: true }),
  vitest('msw 3.0.5', 'the newest version', { msw: 'msw' }),
  vitest('jsdom, msw 3', 'jsdom replaces fetch, timers and crypto', {
    msw: 'msw',
    environment: 'jsdom',
  }),
  vitest('happy-dom, msw 3', 'happy-dom applies CORS to intercepted requests', {
    msw: 'msw',
    environment: 'happy-dom',
  }),
  jest('msw 2.10.5', 'the mock must not need a module that Jest cannot load', {
    msw: 'msw-2.10',
    tests: ['guide.test.mjs'],
  }),
  jest('msw 3.0.5, the guide', 'the mock must load although Jest cannot load this msw', {
    msw: 'msw',
    tests: ['without-msw.test.mjs', JEST_GUIDE],
  }),
  jest(
    'jest-fixed-jsdom: the SDK, and a mock as a server',
    'jsdom has no Web Crypto, and its timers are numbers',
    {
      msw: 'msw-2.10',
      environment: 'jest-fixed-jsdom',
      tests: ['no-web-crypto.test.mjs', 'server.test.mjs', 'dom.test.mjs'],
    },
  ),
  jest('jest-fixed-jsdom with Web Crypto', 'the workaround that the error message names', {
    msw: 'msw-2.10',
    environment: 'jest-fixed-jsdom',
    setup: `Object.defineProperty(globalThis, 'crypto', { value: require('node:crypto').webcrypto });`,
    tests: ['guide.test.mjs', 'dom.test.mjs'],
  }),
  {
    name: 'Jest 30, ES modules, msw 3.0.5',
    why: 'Jest can also run ES modules',
    isOnDemand: true,
    run: () =>
      withCustomer(
        {
          packages: { msw: 'msw', jest: 'jest' },
          fixtures: ['guide.test.mjs'],
          files: { 'jest.config.json': '{ "testMatch": ["**/*.test.mjs"], "transform": {} }' },
        },
        async ({ node }) => {
          const flags = ['--watchman=false', '--runInBand'];
          await node(['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', ...flags]);
        },
      ),
  },
];
