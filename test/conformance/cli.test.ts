import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMockServer, type MockServer } from 'ofage-mock/node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aFolder } from '../support/folder.ts';
import { type, type Said } from '../mock-server/cli/a-terminal.ts';

let server: MockServer;
let folder: string;
// The control driver moves the clock, so each test has a server of its own.
beforeEach(async () => {
  server = await startMockServer({ port: 0, allowLoopbackWebhooks: true });
  folder = aFolder();
});
afterEach(() => server.close());

const conform = (...argv: string[]): Promise<Said> =>
  type(['conform', ...argv], { env: { OFAGE_MOCK_URL: new URL(server.apiBase).origin } });

const withKeys = (secretKey = server.secretKey, key = server.publishableKey): string[] => [
  '--api',
  server.apiBase,
  '--secret-key',
  secretKey,
  '--publishable-key',
  key,
];

const SUMMARY = /^\d+ checks in [\d.]+ s: \d+ passed, \d+ failed, \d+ skipped$/;
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

describe('ofage-mock conform', () => {
  it('checks the running mock with its control API, and ends with the summary', async () => {
    const { code, stdout, stderr } = await conform('--level', 'reading', '--only', 'validate');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lastLine(stdout)).toMatch(SUMMARY);
    expect(lastLine(stdout)).toMatch(/, 0 failed, 0 skipped$/);
  });

  it('checks another API with keys, and reports the checks that it skips because there is no driver', async () => {
    const { code, stdout } = await conform(...withKeys(), '--only', 'validate.result,session');
    expect(code).toBe(0);
    expect(stdout).toContain(
      ': needs a driver that can end a session (settle): validate.result.settled',
    );
  });

  it('exits with 1 if a check of the level fails', async () => {
    // A driver that ends no session looks like a service that loses every result.
    const file = join(folder, 'driver.mjs');
    writeFileSync(file, 'export default { settle: async () => {} };');
    const only = ['--driver', file, '--only', 'validate.result.settled'];
    const { code, stdout } = await conform(...withKeys(), ...only);
    expect(code).toBe(1);
    expect(stdout).toContain('FAILED  validate.result.settled (must, POST /sessions/validate)');
    expect(stdout).toContain('  expected  the body.verified to be true');
    expect(stdout).toContain('  also for  failed, cancelled');
    expect(lastLine(stdout)).toMatch(/^1 checks? /);
  });

  it('exits with 1 if no check ran, because all were skipped', async () => {
    const { code, stderr } = await conform(...withKeys(), '--only', 'validate.result.settled');
    expect(code).toBe(1);
    expect(stderr).toBe('No check ran, because each was skipped\n');
  });
});

describe('the keys of ofage-mock conform', () => {
  const conformWith = (env: Record<string, string>, ...argv: string[]): Promise<Said> =>
    type(['conform', '--api', server.apiBase, '--only', 'session.id', ...argv], { env });

  it('come from the environment, so that no secret key is on a command line', async () => {
    const { secretKey, publishableKey } = server;
    const env = { OFAGE_SECRET_KEY: secretKey, OFAGE_PUBLISHABLE_KEY: publishableKey };
    expect(await conformWith(env)).toMatchObject({ code: 0, stderr: '' });
  });

  it('on the command line come first', async () => {
    const env = { OFAGE_SECRET_KEY: 'sk_other', OFAGE_PUBLISHABLE_KEY: 'pk_other' };
    expect(await conformWith(env)).toMatchObject({ code: 1 });
    expect(await conformWith(env, ...withKeys())).toMatchObject({ code: 0 });
  });

  it('of the environment are not sent to the mock, whose driver makes its own', async () => {
    const env = { OFAGE_SECRET_KEY: 'sk_live', OFAGE_PUBLISHABLE_KEY: 'pk_live' };
    expect(await conformWith(env, '--driver', 'control')).toMatchObject({ code: 0, stderr: '' });
    const requests = await server.control.requests();
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter(({ credential }) => /live/.test(credential ?? ''))).toEqual([]);
  });

  it.each([
    [{}, 'OFAGE_SECRET_KEY or --secret-key is missing'],
    [{ OFAGE_SECRET_KEY: 'sk_1' }, 'OFAGE_PUBLISHABLE_KEY or --publishable-key is missing'],
    [{ OFAGE_SECRET_KEY: '' }, 'OFAGE_SECRET_KEY or --secret-key is missing'],
  ])('are required: %j', async (env, sentence) => {
    const { code, stderr } = await conformWith(env);
    expect(code).toBe(1);
    expect(stderr).toContain(`ofage-mock: Cannot check the implementation: ${sentence}`);
  });

  it.each(['sk_S3cret\nX: 1', 'sk_S3cret x', 'sk_S3cret\u001b', 'sk_S3crét'])(
    'must be such that a header can have them, and are not shown: %j',
    async (key) => {
      const env = { OFAGE_SECRET_KEY: key, OFAGE_PUBLISHABLE_KEY: server.publishableKey };
      const byOption = await conformWith({}, ...withKeys(key));
      for (const { code, stdout, stderr } of [await conformWith(env), byOption]) {
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toContain(
          'the key in OFAGE_SECRET_KEY or --secret-key must have only visible ASCII characters',
        );
        expect(stderr).not.toContain('S3cr');
      }
    },
  );
});

describe('the output of ofage-mock conform', () => {
  it.each(['json', 'junit'])(
    'contains only the report, and standard error the summary, with --reporter %s',
    async (name) => {
      const { stdout, stderr } = await conform('--only', 'session.id', '--reporter', name);
      expect(lastLine(stderr)).toMatch(SUMMARY);
      if (name === 'json') expect(JSON.parse(stdout)).toMatchObject({ name: 'the mock' });
      else expect(lastLine(stdout)).toBe('</testsuites>');
    },
  );

  it('has the different responses of both implementations, with --compare', async () => {
    const file = join(folder, 'mock.json');
    const mock = await conform('--only', 'auth.unknown', '--reporter', 'json');
    writeFileSync(file, mock.stdout.replace('Invalid API key', 'Unknown API key'));
    const { stdout, code } = await conform(
      ...withKeys(),
      '--name',
      'production',
      '--only',
      'auth.unknown',
      '--compare',
      file,
    );
    expect(code).toBe(0);
    expect(stdout).toContain(
      'auth.unknown: production answers 401 "Invalid API key" where the mock answers 401 "Unknown API key"',
    );
    expect(stdout).toContain('1 difference between production and the mock');
    expect(lastLine(stdout)).toMatch(SUMMARY);
  });
});

describe('ofage-mock conform --driver FILE', () => {
  it('uses the functions of the module', async () => {
    const file = join(folder, 'driver.mjs');
    const origin = new URL(server.apiBase).origin;
    writeFileSync(
      file,
      `export default {
        async settle({ sessionId }, status) {
          const outcome = status === 'failed' ? 'failed_age_not_met' : status;
          await fetch('${origin}/control/v1/sessions/' + sessionId + '/outcome', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ outcome }),
          });
        },
      };`,
    );
    const line = ['--driver', file, '--only', 'validate.result', '--level', 'must'];
    const { code, stdout } = await conform(...withKeys(), ...line);
    expect(code).toBe(0);
    expect(lastLine(stdout)).toMatch(/: 3 passed, 0 failed, 0 skipped$/);
  });
});

describe('ofage-mock conform, in case of an error,', () => {
  it.each([
    [['--level', 'all'], '--level must be one of must, should, reading, got "all"'],
    [['--reporter', 'html'], '--reporter must be one of summary, junit, json'],
    [
      ['--only', 'validate.expirey'],
      'did you mean validate.expiry? (see ofage-mock conform --help)',
    ],
    [['--only', ''], 'Cannot run the check "": no check has this id'],
    [
      ['--api', 'shop'],
      '--api must be the base URL of an API, such as http://127.0.0.1:4010/api/v1',
    ],
    [['extra'], 'conform takes no arguments; unexpected argument "extra"'],
  ])('reports %j as invalid usage', async (argv, message) => {
    const { code, stderr } = await conform(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it.each([
    [() => ['--api', server.apiBase], '--secret-key is missing'],
    [
      () => [...withKeys(), '--driver', join(folder, 'none.mjs')],
      /Cannot use the driver ".*none\.mjs": /,
    ],
    [
      () => ['--browser', join(folder, 'none')],
      /Cannot start the browser ".*none": .*executable doesn't exist.*/,
    ],
    [
      () => ['--compare', join(folder, 'none.json')],
      /Cannot use the report ".*": the file does not exist/,
    ],
    [
      () => ['--api', 'http://127.0.0.1:9/api/v1', '--secret-key', 'a', '--publishable-key', 'b'],
      'Cannot reach the API at http://127.0.0.1:9/api/v1',
    ],
  ])('fails with the message $1', async (argv, message) => {
    const { code, stderr } = await conform(...argv());
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  it('reports that the user’s project has no Playwright for --browser', async () => {
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    const { code, stderr } = await conform('--browser', 'chromium');
    vi.restoreAllMocks();
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Cannot use --browser: the project in this directory has neither playwright nor @playwright/test',
    );
  });
});
