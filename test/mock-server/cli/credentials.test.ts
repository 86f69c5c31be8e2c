import { createServer } from 'node:http';
import { startMockServer } from 'ofage-mock/node';
import { beforeEach, describe, expect, it } from 'vitest';
import { START_OPTIONS } from '../../../mock-server/cli/start-options.ts';
import { COMMANDS } from '../../../mock-server/cli/commands.ts';
import { aFolder } from '../../support/folder.ts';
import { listen } from '../../support/listen.ts';
import { spawnMock } from '../../support/mock-process.ts';
import { type } from './a-terminal.ts';

// A password in a URL, or a secret key, that was given to a command is not in what the command prints: a
// log of continuous integration would keep it.

const PASSWORD = 'S3cretPw';

/** URLs with a password, as people type them, and with mistakes. */
const URLS = [
  `http://user:${PASSWORD}@localhost:1/hooks`,
  `https://user:${PASSWORD}@127.0.0.1:1/api/v1`,
  `user:${PASSWORD}@localhost:1/hooks`,
  `http://${PASSWORD}@localhost:1/elsewhere`,
  `http://user:${PASSWORD}@localhost:99999/hooks`,
  `http://user:p/${PASSWORD}@localhost/`,
  `http://user:p#${PASSWORD}@10.0.0.1/`,
  `http://user:p ${PASSWORD}@localhost/`,
  `http:user:${PASSWORD}@localhost:1/hooks`,
  `http:\\\\user:${PASSWORD}@localhost:1/hooks`,
  `ftp://user:${PASSWORD}@localhost/`,
  `mysql://user:${PASSWORD}@localhost/`,
];

/** Options that take a URL. */
const LINES = [
  ...['forward-to', 'data'].map((option) => [
    'start',
    // Refused after the other options were read, so that nothing starts.
    '--seed=x',
    `--${option}`,
  ]),
  ...COMMANDS.map(({ name }) => [name, '--url']),
  ...['api', 'receiver', 'return-url'].map((option) => ['conform', `--${option}`]),
];

let closedPort: number;
beforeEach(async () => {
  const server = createServer();
  closedPort = await listen(server);
  server.close();
});

describe('no password is printed', () => {
  it.each(URLS)('of %s, whichever option has it', async (url) => {
    expect(Object.keys(START_OPTIONS)).toEqual(expect.arrayContaining(['forward-to', 'data']));
    for (const line of LINES) {
      const here = url.replace(/localhost:1|127\.0\.0\.1:1/, `localhost:${closedPort}`);
      const env = { OFAGE_MOCK_URL: `http://127.0.0.1:${closedPort}` };
      const { stdout, stderr } = await type([...line, here], { env });
      expect(stdout + stderr, line.join(' ')).not.toContain(PASSWORD);
    }
  });

  it.each(URLS)('of %s in OFAGE_MOCK_URL', async (url) => {
    const { stdout, stderr } = await type(['clock'], { env: { OFAGE_MOCK_URL: url } });
    expect(stderr).not.toBe('');
    expect(stdout + stderr).not.toContain(PASSWORD);
  });

  it.each(URLS)('by startMockServer() about forwardTo and shopBackend %s', async (url) => {
    for (const options of [{ forwardTo: url }, { shopBackend: url }, { host: url }]) {
      const started = startMockServer({ port: 0, ...options });
      const reason = await started.then(
        async (server) => {
          await server.close();
          return '';
        },
        (error: unknown) => String(error),
      );
      expect(reason).not.toContain(PASSWORD);
    }
  });

  it('by a mock that cannot forward webhooks to a URL with a password', async () => {
    const url = `http://user:${PASSWORD}@localhost:1/hooks`;
    const options = ['--ephemeral', '--port', '0', '--forward-to', url];
    const { code, stdout, stderr } = await spawnMock(options, { cwd: aFolder() }).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      'Cannot forward webhooks to "http://…@localhost:1/hooks": url must be',
    );
    expect(stderr).not.toContain(PASSWORD);
  });
});
