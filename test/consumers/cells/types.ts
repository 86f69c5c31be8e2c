import { withCustomer, type Cell } from '../cell.ts';

/** Code of a customer that uses the declarations of every entry except `ofage-mock` and `ofage/global`. */
const CODE = `
import { OfAge, VERSION, handleReturn, isOfAgeError, type VerifyResult } from 'ofage';
import { createClient, createWebhookHandler, verifyWebhook } from 'ofage/server';
import { createMockService, startMockServer } from 'ofage-mock/node';
import { createControlClient } from 'ofage-mock/client';
import { createTestOfAge, playwrightFixtures } from 'ofage-mock/testing';
import { conform, type CheckResult } from 'ofage-mock/conformance';

export const ofAge: OfAge = new OfAge({ apiKey: 'pk_test_1', returnUrl: 'https://shop.example/r' });
export const result: Promise<VerifyResult> = ofAge.verify();
export const text: string = VERSION;
export const parts = [handleReturn, isOfAgeError, createWebhookHandler, verifyWebhook];
export const client = createClient({ secretKey: 'sk_test_1' });
export const service = createMockService({ pollMs: undefined });
export const control = createControlClient({ baseUrl: 'http://127.0.0.1:4010' });
export const TestOfAge = createTestOfAge('http://127.0.0.1:4010/api/v1');
export const fixtures = playwrightFixtures({ startMockServer });
export const results: Promise<CheckResult[]> = conform({
  apiBase: 'http://127.0.0.1:4010/api/v1',
  secretKey: 'sk_test_1',
  publishableKey: 'pk_test_1',
});
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
};

/** Older compilers need older declarations of Node. Only `ofage-mock` may need those of msw. */
const OLD = { '@types/node': 'types-node-20' };
const NEW = { '@types/node': '@types/node' };

const VERSIONS = [
  { version: '5.0.4', compiler: 'typescript-5.0', others: OLD, msw: 'msw-2.10' },
  { version: '5.4.5', compiler: 'typescript-5.4', others: OLD, msw: 'msw-2.10' },
  { version: '5.9.3', compiler: 'typescript-5.9', others: NEW, msw: 'msw' },
  { version: '6.0.3', compiler: 'typescript', others: NEW, msw: 'msw' },
  { version: '7.0.2', compiler: 'typescript-7', others: NEW, msw: 'msw' },
] as const;

/** Code that uses `ofage-mock` with msw. */
const MSW_CODE = `
import { setupServer } from 'msw/node';
import { createMockService, type MockService } from 'ofage-mock';

const service: MockService = createMockService({ clock: { frozen: true } });
export const server = setupServer(...service.handlers);
export const key = async (): Promise<string> => (await service.ready).secretKey;
// @ts-expect-error there is no such option
createMockService({ clok: {} });
`;

interface Compilation {
  readonly compiler: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Path and code. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Compiles the files.
 *
 * @throws with a message that says whether this package has an error, or only others have
 */
function compile({ compiler, packages, files }: Compilation): Promise<void> {
  const config = JSON.stringify({ ...TSCONFIG, files: Object.keys(files) });
  return withCustomer(
    {
      packages: { typescript: compiler, ...packages },
      files: { 'tsconfig.json': config, ...files },
    },
    async ({ node }) => {
      const tsc = ['node_modules/typescript/bin/tsc', '--pretty', 'false', '-p', '.'];
      const message = await node(tsc).then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (message === undefined) return;
      const lines = message.split('\n').filter((line) => /error TS\d+/.test(line));
      const isOurs = (line: string): boolean =>
        !/^[^(]*node_modules\/(?!ofage(-mock)?\/)/.test(line);
      const whose = lines.length === 0 || lines.some(isOurs) ? 'ofage has' : 'other packages have';
      throw new Error(`In the code or declarations, ${whose} errors:\n${message}`);
    },
  );
}

/** The code of most entries, in an ES module and in CommonJS. */
const BOTH = { 'module.mts': CODE, 'script.cts': CODE };

const [{ version: oldest, compiler, others }] = VERSIONS;

export const typeCells: readonly Cell[] = [
  {
    name: `TypeScript ${oldest} without msw, skipLibCheck off`,
    why: 'declarations with newer syntax fail in every older compiler, and only `ofage-mock` may need msw',
    run: () => compile({ compiler, packages: others, files: BOTH }),
  },
  ...VERSIONS.map(({ version, compiler, others, msw }): Cell => ({
    name: `TypeScript ${version} with ${msw}, skipLibCheck off`,
    why: 'the declarations of the mock contain those of msw',
    isOnDemand: version !== VERSIONS.at(-1)?.version,
    run: () => {
      const packages = { ...others, msw };
      return compile({ compiler, packages, files: { ...BOTH, 'msw.mts': MSW_CODE } });
    },
  })),
];
