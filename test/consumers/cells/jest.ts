import { readFileSync } from 'node:fs';
import { withCustomer, type Cell } from '../cell.ts';

const NEEDS_CRYPTO = 'no-web-crypto.test.mjs';

interface Setup {
  readonly msw: string;
  /** The tests to run, from `fixtures/`. */
  readonly tests: readonly string[];
  readonly environment?: string;
  readonly setup?: string;
}

/** Runs tests in Jest's CommonJS mode, its default. */
function commonJs(
  name: string,
  why: string,
  { msw, tests, environment = 'node', setup }: Setup,
): Cell {
  const packages = { msw, jest: 'jest', 'jest-fixed-jsdom': 'jest-fixed-jsdom' };
  const files = Object.fromEntries(
    tests.map((test) => [test.replace(/mjs$/, 'js'), toCommonJs(test)]),
  );
  const config = { testEnvironment: environment, ...(setup && { setupFiles: ['./setup.js'] }) };
  return {
    name: `Jest 30, CommonJS, ${name}`,
    why,
    run: () =>
      withCustomer(
        {
          packages,
          type: 'commonjs',
          files: {
            ...files,
            ...(setup && { 'setup.js': setup }),
            'jest.config.json': JSON.stringify(config),
          },
        },
        async ({ node }) => {
          await node(['node_modules/jest/bin/jest.js', '--watchman=false', '--runInBand']);
        },
      ),
  };
}

/** Converts the imports of a fixture, as a compiler does for Jest. */
function toCommonJs(fixture: string): string {
  const code = readFileSync(new URL(`../fixtures/${fixture}`, import.meta.url), 'utf8');
  return code.replace(/^import (\{.*?\}) from ('.*?');$/gm, 'const $1 = require($2);');
}

export const jestCells: readonly Cell[] = [
  commonJs('msw 2.10.5', 'the mock must not need a module that Jest cannot load', {
    msw: 'msw-2.10',
    tests: ['guide.test.mjs'],
  }),
  commonJs('msw 3.0.5', 'the mock must load although Jest cannot load this msw', {
    msw: 'msw',
    tests: ['without-msw.test.mjs', 'server.test.mjs'],
  }),
  commonJs(
    'jest-fixed-jsdom: the SDK, and a mock as a server',
    'jsdom has no Web Crypto, and its timers are numbers',
    {
      msw: 'msw-2.10',
      environment: 'jest-fixed-jsdom',
      tests: [NEEDS_CRYPTO, 'server.test.mjs', 'dom.test.mjs'],
    },
  ),
  commonJs('jest-fixed-jsdom with Web Crypto', 'the workaround that the error message names', {
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
