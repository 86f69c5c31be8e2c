/** Runs the example and the commands of docs/guides/browser-tests.md. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createControlClient } from 'ofage-mock/client';
import { startMockServer, type MockServer } from 'ofage-mock/node';
import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { createSession } from '../support/api.ts';
import { findCodeBlocks, readCodeBlock } from '../support/code-blocks.ts';
import { findFreePort } from '../support/free-port.ts';
import { startReceiver } from '../support/receiver.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/browser-tests.md'), 'utf8');

interface GitHubFile {
  jobs: { test: { steps: { run?: string; if?: string }[] } };
}
interface GitLabFile {
  test: { script: string[] };
}

const [github, gitlab] = findCodeBlocks(GUIDE)
  .filter(({ language }) => language === 'yaml')
  .map(({ code }) => parse(code)) as [GitHubFile, GitLabFile];

const githubScript = github.jobs.test.steps
  .filter((step) => step.if === undefined)
  .flatMap(({ run = [] }) => run);

/** Runs the commands in one shell, with the mock of this repository and without installing anything. */
async function run(commands: readonly string[]): Promise<string> {
  const port = String(await findFreePort());
  const folder = mkdtempSync(join(tmpdir(), 'ofage-ci-'));
  // Programs and not shell functions, because a function would run in a process that outlives the test.
  const programs = {
    npm: 'echo "npm $*"',
    npx: `shift; exec "${process.execPath}" "${ROOT}/mock-server/cli/main.ts" "$@"`,
  };
  for (const [name, code] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${code}\n`, { mode: 0o755 });
  const script = [`trap 'kill $!' EXIT`, ...commands]
    .join('\n')
    .replaceAll('4010', port)
    .replace('--ephemeral', `--port ${port} --ephemeral`);
  try {
    return execFileSync('/bin/sh', ['-e', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${folder}:${process.env['PATH']}`,
        NO_COLOR: '1',
        OFAGE_MOCK_URL: `http://127.0.0.1:${port}`,
      },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `expect.poll` of Vitest works like Playwright's, but waits only a second, which a busy machine exceeds. */
const patient = {
  poll: (read: () => unknown) => expect.poll(read, { timeout: 30_000 }),
};

/** Returns the test of the guide that asks for webhooks, changed to the mock's port. */
function readExample({ controlBase }: MockServer): (fixtures: object) => Promise<void> {
  const code = readCodeBlock('docs/guides/browser-tests.md', 'ts', 'createControlClient');
  const module = ts.transpile(
    code.replaceAll(/^import .*/gm, '').replace(/'http.*4010'/, JSON.stringify(controlBase)),
    { target: ts.ScriptTarget.ES2022 },
  );
  const test = vi.fn();
  new Function('test', 'expect', 'createControlClient', module)(test, patient, createControlClient);
  return test.mock.calls[0]?.[1];
}

describe('docs/guides/browser-tests.md', () => {
  it('has a test of webhooks that passes', async () => {
    const receiver = await startReceiver();
    const server = await startMockServer({ port: 0, forwardTo: receiver.url });
    const create = () => createSession(server, { externalUserId: 'anna' });
    // A page of a shop whose only button starts a verification. The session is created after the click.
    const page = {
      goto: async () => {},
      getByRole: () => ({ click: async () => void setTimeout(create, 200) }),
    };
    await readExample(server)({ page });
    await server.close();
    await receiver.close();
  });

  it.each([
    ['GitHub Actions', githubScript],
    ['GitLab', gitlab.test.script],
  ])(
    'has commands for %s that start the mock, run the tests and ask the doctor',
    async (_, commands) => {
      const output = await run(commands);
      expect(output).toMatch(/npm ci.*\nnpm test\n/);
      expect(output).toContain('0 problems, 1 warning, ');
    },
    300_000,
  );
});
