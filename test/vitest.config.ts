import { defineConfig } from 'vitest/config';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// Maps the public entries, so that tests import them like a customer.
const alias = [
  { find: /^ofage$/, replacement: path('../src/index.ts') },
  { find: /^ofage\/server$/, replacement: path('../src/server/index.ts') },
  { find: /^ofage-mock$/, replacement: path('../mock-server/index.ts') },
  { find: /^ofage-mock\/conformance$/, replacement: path('../mock-server/conformance/index.ts') },
  { find: /^ofage-mock\/testing$/, replacement: path('../mock-server/testing/index.ts') },
  { find: /^ofage-mock\/client$/, replacement: path('../mock-server/client.ts') },
  { find: /^ofage-mock\/node$/, replacement: path('../mock-server/node.ts') },
  // The examples have no packages of their own here.
  { find: /^express$/, replacement: path('./node_modules/express/index.js') },
];

const sdk = {
  environment: 'jsdom',
  environmentOptions: { jsdom: { url: 'https://shop.example/' } },
  include: ['test/sdk/**/*.test.ts'],
  testTimeout: 20_000,
  // Starting jsdom for each file would take longer than the tests.
  isolate: false,
};

const node = {
  environment: 'node',
  // On a busy machine, a database needs half a minute to start, and property tests are slow.
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const;

/** These options are set here, because the transform ignores a tsconfig with `paths`. */
const oxc = {
  jsx: { runtime: 'automatic', importSource: 'preact' },
  // NestJS uses TypeScript's experimental decorators, not the standard ones.
  decorator: { legacy: true },
} as const;

/** Tests that leave nothing in a module or a global, so that the files of a worker can share them. */
const SHARING = 'test/{server,mock-server/{api,doctor,help,rules,service}}/**/*.test.ts';

/** One project per environment. Each folder with Vitest tests belongs to exactly one project. */
export default defineConfig({
  root: path('..'),
  test: {
    // One more than the processors, because some tests wait for timers, databases and processes.
    maxWorkers: availableParallelism() + 1,
    // The names of tests contain whole sentences. The default cuts them at 40 characters.
    taskTitleValueFormatTruncate: 200,
    projects: [
      {
        resolve: { alias },
        test: { ...sdk, name: 'sdk' },
      },
      {
        // The same tests with the reporter, which must not change what a page sees.
        resolve: {
          alias: [
            { find: /^ofage$/, replacement: path('support/reporting-sdk.ts') },
            ...alias.slice(1),
          ],
        },
        test: {
          ...sdk,
          name: 'sdk-with-reports',
          // Only a page with a document has a reporter.
          exclude: ['test/sdk/without-dom.test.ts'],
        },
      },
      {
        resolve: { alias },
        oxc,
        test: {
          ...node,
          name: 'node',
          include: [
            'test/{server,mock-server,testing,conformance,playground,docs,scripts,mutation}/**/*.test.{ts,tsx}',
            'test/*.test.ts',
            'bench/*.test.ts',
          ],
          exclude: [SHARING],
        },
      },
      {
        resolve: { alias },
        oxc,
        test: {
          ...node,
          name: 'node-sharing',
          // Loading the service for each file would take as long as the tests.
          isolate: false,
          include: [SHARING],
        },
      },
      {
        resolve: { alias },
        test: {
          // These tests check the output of `npm run build`, so they run after it.
          name: 'package',
          environment: 'node',
          include: ['test/package/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          // These tests run the packed build in other tools, so most of their time is spent in processes.
          name: 'consumers',
          environment: 'node',
          include: ['test/consumers/*.test.ts'],
          maxConcurrency: availableParallelism(),
          testTimeout: 300_000,
        },
      },
    ],
  },
});
