import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findFreePort } from '../support/free-port.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/browser-tests.md'), 'utf8');

interface GitHubFile {
  jobs: { test: { steps: { run?: string; if?: string }[] } };
}
interface GitLabFile {
  test: { script: string[] };
}

const [github, gitlab] = Array.from(
  GUIDE.matchAll(/```yaml\n([\s\S]*?)```/g),
  ([, text = '']) => parse(text) as unknown,
) as [GitHubFile, GitLabFile];

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

describe('docs/guides/browser-tests.md', () => {
  it.each([
    ['GitHub Actions', githubScript],
    ['GitLab', gitlab.test.script],
  ])(
    'has commands for %s that start the mock, run the tests and ask the doctor',
    async (_, commands) => {
      const output = await run(commands);
      expect(output).toMatch(/npm ci.*\nnpm test\n/);
      expect(output).toContain('0 problems, 1 warning in 0 requests');
    },
    300_000,
  );
});
