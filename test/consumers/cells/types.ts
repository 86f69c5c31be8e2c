import { withCustomer, type Cell } from '../cell.ts';

/** Code of a customer that uses the declarations of every entry but `ofage/mock`. */
const CODE = `
import { OfAge, VERSION, handleReturn, isOfAgeError, type VerifyResult } from 'ofage';
import { createClient, createWebhookHandler, verifyWebhook } from 'ofage/server';
import { createMockService, startMockServer } from 'ofage/mock/node';
import { createControlClient } from 'ofage/mock/client';
import { createTestOfAge, playwrightFixtures } from 'ofage/testing';

export const ofAge: OfAge = new OfAge({ apiKey: 'pk_test_1', returnUrl: 'https://shop.example/r' });
export const result: Promise<VerifyResult> = ofAge.verify();
export const text: string = VERSION;
export const parts = [handleReturn, isOfAgeError, createWebhookHandler, verifyWebhook];
export const client = createClient({ secretKey: 'sk_test_1' });
export const service = createMockService({ pollMs: undefined });
export const control = createControlClient({ baseUrl: 'http://127.0.0.1:4010' });
export const TestOfAge = createTestOfAge('http://127.0.0.1:4010/api/v1');
export const fixtures = playwrightFixtures({ startMockServer });
// @ts-expect-error a key is text
new OfAge({ apiKey: 1, returnUrl: 'https://shop.example/r' });
`;

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    module: 'node16',
    moduleResolution: 'node16',
    lib: ['es2022', 'dom'],
    types: ['node'],
  },
  files: ['module.mts', 'script.cts'],
};

/** Older compilers need older declarations of Node. Only `ofage/mock` may need those of msw. */
const OLD = { '@types/node': 'types-node-20', 'undici-types': 'undici-types' };
const NEW = { '@types/node': '@types/node', 'undici-types': 'undici-types' };

const VERSIONS = [
  { version: '5.0.4', compiler: 'typescript-5.0', others: OLD },
  { version: '5.4.5', compiler: 'typescript-5.4', others: OLD },
  { version: '5.9.3', compiler: 'typescript-5.9', others: NEW },
  { version: '6.0.3', compiler: 'typescript', others: NEW },
  { version: '7.0.2', compiler: 'typescript-7', others: NEW },
];

export const typeCells: readonly Cell[] = VERSIONS.map(({ version, compiler, others }) => ({
  name: `TypeScript ${version}, from ES modules and CommonJS, skipLibCheck off`,
  why: 'declarations with newer syntax fail in every older compiler',
  run: () =>
    withCustomer(
      {
        packages: { typescript: compiler, ...others },
        files: {
          'tsconfig.json': JSON.stringify(TSCONFIG),
          'module.mts': CODE,
          'script.cts': CODE,
        },
      },
      async ({ node }) => {
        await node(['node_modules/typescript/bin/tsc', '--pretty', 'false', '-p', '.']);
      },
    ),
}));
