import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installTarball, ROOT, type Installed } from './built.ts';

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

/** A customer's server, which knows no DOM. */
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
import { createMockService, type MockService } from 'ofage/mock';
import { startMockServer } from 'ofage/mock/node';

const service: MockService = createMockService({ clock: { frozen: true } });
export const key = async (): Promise<string> => (await service.ready).secretKey;
export const base = async (): Promise<string> => (await startMockServer({ port: 0 })).apiBase;
// @ts-expect-error a port is a number
void startMockServer({ port: '4010' });
`;

/** A customer's fixtures, with neither test runner installed. */
const TESTING = `
import { createTestOfAge, playwrightFixtures, vitestFixtures, type TestAccount } from 'ofage/testing';
import { createMockService } from 'ofage/mock';
import { startMockServer } from 'ofage/mock/node';

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

const MODES = [
  {
    mode: 'node10',
    extension: 'ts',
    options: {
      module: 'commonjs',
      moduleResolution: 'node10',
      ignoreDeprecations: '6.0',
      esModuleInterop: true,
    },
  },
  { mode: 'node16 from CommonJS', extension: 'cts', options: { module: 'node16' } },
  { mode: 'node16 from ESM', extension: 'mts', options: { module: 'node16' } },
  { mode: 'bundler', extension: 'ts', options: { module: 'esnext', moduleResolution: 'bundler' } },
] as const;

let installed: Installed;

beforeAll(() => {
  installed = installTarball();
  for (const name of ['msw', '@types', 'undici-types']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(installed.folder, 'node_modules', name));
  }
});

afterAll(() => {
  installed?.remove();
});

describe.each(MODES)('TypeScript resolves and checks with $mode', ({ extension, options }) => {
  it('the SDK, our declarations included', () => {
    expect(compile(BROWSER, extension, { ...options, lib: ['es2022', 'dom'], types: [] })).toBe('');
  });

  it.each([
    ['in Node', { lib: ['es2022'], types: ['node'] }],
    ['in a worker', { lib: ['es2022', 'webworker'], types: [] }],
  ])('the server kit %s, our declarations included', (_where, settings) => {
    expect(compile(SERVER, extension, { ...options, ...settings })).toBe('');
  });

  it('the fixtures for test runners', () => {
    // msw's own declarations ask for more than a customer's library settings.
    const settings = { lib: ['es2022', 'dom'], types: ['node'], skipLibCheck: true };
    expect(compile(TESTING, extension, { ...options, ...settings })).toBe('');
  });

  it('the mock', () => {
    // For the reason above.
    const settings = { lib: ['es2022', 'dom'], types: ['node'], skipLibCheck: true };
    expect(compile(MOCK, extension, { ...options, ...settings })).toBe('');
  });
});

/** Compiles one file in the customer's folder; what the compiler complains about. */
function compile(code: string, extension: string, options: object): string {
  const file = `consumer.${extension}`;
  writeFileSync(join(installed.folder, file), code);
  writeFileSync(
    join(installed.folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        target: 'es2022',
        noEmit: true,
        ...options,
      },
      files: [file],
    }),
  );
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '--pretty', 'false', '-p', installed.folder], {
    encoding: 'utf8',
  }).stdout;
}
