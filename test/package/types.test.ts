import { execFile } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installTarballs, ROOT, type Installed } from './built.ts';

/** A customer's browser code. */
const BROWSER = `
import { OfAge, VERSION, handleReturn, isOfAgeError, type VerifyResult } from 'ofage';
import Default from 'ofage';

const ofAge: OfAge = new Default({ apiKey: 'pk_test_1', returnUrl: 'https://shop.example/return' });
export const version: string = VERSION;
export async function check(): Promise<string> {
  try {
    const result: VerifyResult = await ofAge.verify();
    return result.status === 'verified' ? result.sessionId : result.status;
  } catch (error) {
    return isOfAgeError(error) ? error.code : 'unknown';
  }
}
handleReturn();
// @ts-expect-error a key is text
new OfAge({ apiKey: 1, returnUrl: 'https://shop.example/return' });
`;

/** A customer's page that loads the SDK by a script tag. */
const SCRIPT_TAG = `
/// <reference types="ofage/global" />

export const ofAge: OfAge = new OfAge({ apiKey: 'pk_1', returnUrl: 'https://shop.example/return' });
export const version: string = window.OfAge.VERSION;
OfAge.handleReturn();
export const code = (error: unknown): string => (OfAge.isOfAgeError(error) ? error.code : '');
// @ts-expect-error a key is text
new OfAge({ apiKey: 1, returnUrl: 'https://shop.example/return' });
`;

/** A customer's server, without DOM types. */
const SERVER = `
import { createClient, verifyWebhook } from 'ofage/server';

const client = createClient({ secretKey: 'sk_test_1' });
export const begin = async (): Promise<string> =>
  (await client.createSession({ returnUrl: 'https://shop.example/return' })).verifyUrl;
export const check = verifyWebhook;
// @ts-expect-error a return address is needed
void client.createSession({});
`;

/** A customer's tests. */
const MOCK = `
import { createMockService, type MockService } from 'ofage-mock';
import { createControlClient } from 'ofage-mock/client';
import { startMockServer } from 'ofage-mock/node';

const service: MockService = createMockService({ clock: { frozen: true } });
export const key = async (): Promise<string> => (await service.ready).secretKey;
export const base = async (): Promise<string> => (await startMockServer({ port: 0 })).apiBase;
export const status = async (): Promise<string> =>
  (await createControlClient().settle('id', 'verified')).status;
// @ts-expect-error there is no such outcome
void createControlClient().settle('id', 'verifed');
// @ts-expect-error a port is a number
void startMockServer({ port: '4010' });
`;

/** A customer's fixtures, with neither test runner installed. */
const TESTING = `
import { createTestOfAge, playwrightFixtures, vitestFixtures, type TestAccount } from 'ofage-mock/testing';
import { createMockService } from 'ofage-mock';
import { startMockServer } from 'ofage-mock/node';

const OfAge = createTestOfAge('http://127.0.0.1:4010/api/v1');
export const ofAge = new OfAge({ apiKey: 'pk_test_1', returnUrl: 'http://localhost:3000/return' });
export const inPlaywright = playwrightFixtures({ startMockServer, options: { seed: 1 } });
declare const setupServer: (...handlers: unknown[]) => {
  listen(options?: object): void;
  close(): void;
};
export const inVitest = vitestFixtures({ createMockService, setupServer });
export const fail = (account: TestAccount): Promise<unknown> => account.settle('failed_age_not_met');
// @ts-expect-error there is no such outcome
export const typo = (account: TestAccount): Promise<unknown> => account.settle('failed_age');
`;

const TYPESCRIPT_6 = 'node_modules/typescript/bin/tsc';
/** Needs a tenth of the time of version 6. */
const TYPESCRIPT_7 = 'test/node_modules/typescript-7/bin/tsc';

const MODES = [
  {
    mode: 'node10',
    extension: 'ts',
    compiler: TYPESCRIPT_6,
    options: {
      module: 'commonjs',
      moduleResolution: 'node10',
      ignoreDeprecations: '6.0',
      esModuleInterop: true,
    },
  },
  {
    mode: 'node16 from CommonJS',
    extension: 'cts',
    compiler: TYPESCRIPT_7,
    options: { module: 'node16' },
  },
  {
    mode: 'node16 from ESM',
    extension: 'mts',
    compiler: TYPESCRIPT_7,
    options: { module: 'node16' },
  },
  {
    mode: 'bundler',
    extension: 'ts',
    compiler: TYPESCRIPT_6,
    options: { module: 'esnext', moduleResolution: 'bundler' },
  },
] as const;

/**
 * `npm test` compiles in three modes, which together read every declaration file. The part `package-types` of
 * `npm run test:all` sets TYPE_CELLS to `all` for the other mode, for each mode without msw, and for TypeScript
 * 6 in all of them.
 */
const isWhole = process.env['TYPE_CELLS'] === 'all';
const CHOSEN_MODES = MODES.map((mode) => (isWhole ? { ...mode, compiler: TYPESCRIPT_6 } : mode));
const SOME_MODES = CHOSEN_MODES.filter(({ mode }) => isWhole || mode !== 'node10');
const MODES_WITHOUT_MSW = CHOSEN_MODES.filter(({ mode }) => isWhole || mode === 'bundler');

let installed: Installed;
/** The same customer without msw. */
let withoutMsw: string;
let compiled = 0;

beforeAll(() => {
  installed = installTarballs();
  withoutMsw = join(dirname(installed.folder), 'without-msw');
  cpSync(installed.folder, withoutMsw, { recursive: true });
  for (const name of ['@types', 'undici-types']) link(installed.folder, name);
  for (const name of ['@types', 'undici-types']) link(withoutMsw, name);
  link(installed.folder, 'msw');
});

function link(folder: string, name: string): void {
  symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
}

afterAll(() => {
  installed?.remove();
});

/** Settings for code that imports msw, whose declarations need more libraries than a customer sets. */
const WITH_MSW = { lib: ['es2022', 'dom'], types: ['node'], skipLibCheck: true };

const IN_BROWSER = { lib: ['es2022', 'dom'], types: [] };

/** Each customer's files. They are compiled together, because they share their settings. */
const CUSTOMERS = [
  {
    what: "the SDK, the script tag's global and their declarations",
    code: [BROWSER, SCRIPT_TAG],
    settings: IN_BROWSER,
  },
  {
    what: 'the server kit and its declarations in Node',
    code: [SERVER],
    settings: { lib: ['es2022'], types: ['node'] },
  },
  {
    what: 'the server kit and its declarations in a worker',
    code: [SERVER],
    settings: { lib: ['es2022', 'webworker'], types: [] },
  },
  { what: 'the mock and the fixtures for test runners', code: [MOCK, TESTING], settings: WITH_MSW },
];

describe.each(SOME_MODES)(
  'with the module resolution $mode, TypeScript resolves and checks',
  ({ extension, compiler, options }) => {
    it.concurrent.for(CUSTOMERS)('$what', async ({ code, settings }, { expect }) => {
      const all = { ...options, ...settings };
      expect(await compile(code, { extension, compiler, options: all })).toBe('');
    });
  },
);

describe.each(MODES_WITHOUT_MSW)(
  'with the module resolution $mode and without msw, TypeScript checks',
  ({ extension, compiler, options }) => {
    const all = { ...options, lib: ['es2022', 'dom'], types: ['node'] };
    it.concurrent('the mock and its declarations', async ({ expect }) => {
      const settings = { extension, compiler, options: all, folder: withoutMsw };
      expect(await compile([MOCK], settings)).toBe('');
    });
  },
);

describe("TypeScript knows the script tag's file", () => {
  const settings = { compiler: TYPESCRIPT_7, options: { module: 'node16', ...IN_BROWSER } };

  it('as a module that sets the global', async () => {
    const code = `import 'ofage/sdk.min.js';\nexport const version: string = OfAge.VERSION;`;
    expect(await compile([code], { extension: 'mts', ...settings })).toBe('');
  });

  it('as a CommonJS module that is the constructor', async () => {
    const code = `import OfAge = require('ofage/sdk.min.js');
      export const version: string = OfAge.VERSION;
      // @ts-expect-error it has no such property
      void OfAge.verify;`;
    expect(await compile([code], { extension: 'cts', ...settings })).toBe('');
  });
});

interface CompileSettings {
  readonly extension: string;
  /** The path of the compiler in this repository. */
  readonly compiler: string;
  readonly options: object;
  readonly folder?: string;
}

/** Compiles files in a customer's folder and returns the errors of the compiler. */
async function compile(
  code: readonly string[],
  { extension, compiler, options, folder = installed.folder }: CompileSettings,
): Promise<string> {
  compiled += 1;
  const name = `consumer-${compiled}`;
  const project = join(folder, `${name}.json`);
  const files = code.map((_, n) => `${name}-${n}.${extension}`);
  code.forEach((text, n) => writeFileSync(join(folder, files[n]!), text));
  writeFileSync(
    project,
    JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        target: 'es2022',
        noEmit: true,
        ...options,
      },
      files,
    }),
  );
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [join(ROOT, compiler), '--pretty', 'false', '-p', project],
      (error, stdout) => {
        // The compiler exits with 1 or 2 after errors, which are the result of this function.
        if (error && stdout === '') reject(error);
        else resolve(stdout);
      },
    );
  });
}
