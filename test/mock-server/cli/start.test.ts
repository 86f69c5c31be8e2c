import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { postJson } from '../../support/api.ts';
import { cwd, run, start, useFolder } from './a-start.ts';

useFolder();

describe('ofage-mock', () => {
  it.each([
    [['nonsense'], 'ofage-mock: Unknown command "nonsense"'],
    [['--port', 'http'], 'ofage-mock: --port must be an integer from 0 to 65535, got "http"'],
    [['--host', '0.0.0.0'], 'ofage-mock: --host must be a loopback address'],
  ])('with the invalid arguments %j exits with 2 and one line on stderr', async (args, message) => {
    const { code, stdout, stderr } = await run(args).ended;
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toContain(message);
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
