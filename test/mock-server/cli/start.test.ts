import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { postJson } from '../../support/api.ts';
import { cwd, run, start, useFolder } from './a-start.ts';

useFolder();

describe('ofage-mock', () => {
  it('with an unknown command exits with 2 and one line on stderr', async () => {
    const { code, stdout, stderr } = await run(['nonsense']).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^ofage-mock: Unknown command "nonsense".*\n$/);
  });

  it('prints the help and the version on stdout', async () => {
    expect(await run(['--help']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--ephemeral'),
      stderr: '',
    });
    expect(await run(['--version']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

describe('ofage-mock start', () => {
  it('prints URLs and keys, without colours in a pipe', async () => {
    const mock = start();
    await mock.firstLine();
    const { code, stdout, stderr } = await mock.kill('SIGINT');
    const port = /localhost:(\d+)/.exec(stdout)?.[1];
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`open http://localhost:${port}`);
    expect(stdout).toContain(join('.ofage', 'mock.sqlite'));
    expect(stdout).toMatch(/^OFAGE_PUBLISHABLE_KEY=pk_\w+$/m);
    expect(stdout).toMatch(/^OFAGE_SECRET_KEY=sk_\w+$/m);
    expect(stdout).toMatch(new RegExp(`^OFAGE_API_BASE=http://127.0.0.1:${port}/api/v1$`, 'm'));
    expect(stdout).not.toContain('\u001b');
  });

  it('--write-env writes the variables into the file instead of printing them', async () => {
    const mock = start(
      '--ephemeral',
      '--write-env',
      '.env',
      '--forward-to',
      'localhost:3000/hooks',
    );
    await mock.firstLine();
    const { code, stdout } = await mock.kill('SIGTERM');
    expect(code).toBe(0);
    expect(stdout).toContain('The variables of your server are in .env');
    expect(stdout).not.toContain('OFAGE_SECRET_KEY');
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toMatch(
      /^# ofage-mock\nOFAGE_PUBLISHABLE_KEY=pk_\w+\nOFAGE_SECRET_KEY=sk_\w+\nOFAGE_WEBHOOK_SECRET=whsec_\w+\nOFAGE_API_BASE=http:\/\/127\.0\.0\.1:\d+\/api\/v1\n$/,
    );
  });

  it('--write-env refuses a file that sets one of the variables elsewhere, before the start', async () => {
    writeFileSync(join(cwd, '.env'), 'OFAGE_SECRET_KEY=mine\n');
    const { code, stdout, stderr } = await start('--write-env', '.env').ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'ofage-mock: Cannot write ".env": line 1 sets OFAGE_SECRET_KEY, but only the lines directly below "# ofage-mock" are changed; remove that line\n',
    );
    expect(readdirSync(cwd)).toEqual(['.env']);
  });

  describe('with a Node that has no SQLite', () => {
    const env = { NODE_OPTIONS: '--no-experimental-sqlite' };

    it('keeps the state in memory and says so in one line', async () => {
      const mock = run(['--port', '0', '--no-demo', '--json'], env);
      await mock.ready();
      const { code, stderr } = await mock.kill('SIGTERM');
      expect(code).toBe(0);
      expect(stderr).toMatch(
        /^ofage-mock: Node \S+ has no SQLite, so the state is in memory and lost when the mock stops; Node 22\.13 or newer keeps it\n$/,
      );
      expect(readdirSync(cwd)).toEqual([]);
    });

    it('refuses a data file', async () => {
      const { code, stderr } = await run(['--port', '0', '--data', 'a.sqlite'], env).ended;
      expect(code).toBe(1);
      expect(stderr).toContain('a data file needs Node 22.13 or newer');
    });
  });

  it('prints the webhook secret if webhooks are forwarded', async () => {
    const mock = start('--ephemeral', '--forward-to', 'localhost:3000/hooks');
    await mock.firstLine();
    const { stdout } = await mock.kill('SIGTERM');
    expect(stdout).toMatch(/^OFAGE_WEBHOOK_SECRET=whsec_\w+$/m);
    expect(stdout).toContain('to this machine are allowed');
  });

  it('--json prints one line when the server is ready for requests', async () => {
    const mock = start('--json', '--ephemeral', '--seed', '7');
    const ready = await mock.ready();
    expect(Object.keys(ready)).toEqual([
      'apiBase',
      'controlBase',
      'shop',
      'dashboard',
      'tenantId',
      'publishableKey',
      'secretKey',
      'webhookSecret',
    ]);
    const answer = await postJson(`${ready.apiBase}/sessions/create`, ready.publishableKey, {
      returnUrl: 'http://localhost/',
    });
    expect(answer.status).toBe(201);
    const { stdout, stderr, code } = await mock.kill('SIGTERM');
    expect({ lines: stdout.split('\n').length, stderr, code }).toEqual({
      lines: 2,
      stderr: '',
      code: 0,
    });
  });

  it('--quiet prints nothing', async () => {
    const mock = start('--quiet');
    while (!existsSync(join(cwd, '.ofage/mock.sqlite')))
      await new Promise((r) => setTimeout(r, 20));
    await new Promise((r) => setTimeout(r, 200));
    expect(await mock.kill('SIGINT')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('keeps the default data file out of version control', async () => {
    const mock = start();
    await mock.firstLine();
    await mock.kill('SIGINT');
    expect(readFileSync(join(cwd, '.ofage/.gitignore'), 'utf8')).toBe('*\n');
    // No write-ahead log remains, so the database was closed properly.
    expect(readdirSync(join(cwd, '.ofage')).sort()).toEqual(['.gitignore', 'mock.sqlite']);
  });

  it('--ephemeral creates no data file', async () => {
    const mock = start('--ephemeral', '--json');
    await mock.ready();
    await mock.kill('SIGINT');
    expect(existsSync(join(cwd, '.ofage'))).toBe(false);
  });

  it('treats signals within 150 ms as one', async () => {
    const mock = start('--json', '--data', 'state.sqlite');
    await mock.ready();
    const sinceMs = performance.now();
    mock.child.kill('SIGINT');
    // npx forwards the signal once, at an unknown time, perhaps while the process is exiting.
    const passOn = setInterval(() => {
      if (performance.now() - sinceMs < 150) mock.child.kill('SIGINT');
    }, 1);
    const { code, stderr } = await mock.ended;
    clearInterval(passOn);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readdirSync(cwd)).toEqual(['state.sqlite']);
  });

  it('exits at once on a second signal', async () => {
    const mock = start('--ephemeral', '--json');
    const ready = await mock.ready();
    // If the server ignored the second signal, it would wait for this open request.
    const held = fetch(`${ready.apiBase}/sessions/create`, {
      method: 'POST',
      body: new ReadableStream({ pull: () => new Promise(() => {}) }),
      duplex: 'half',
    } as RequestInit).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    mock.child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await mock.kill('SIGINT')).toMatchObject({ code: 130 });
    await held;
  });
});
