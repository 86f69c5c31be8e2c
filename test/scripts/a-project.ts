/** A project with the real scripts, in which every tool is a shell script that prints its name. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const VITEST_REPORT = JSON.stringify({
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
});
const PLAYWRIGHT_REPORT = JSON.stringify({
  stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 },
});

/** The commands of each tool after it has printed its name. The test runners write a report. */
export const TOOLS: Readonly<Record<string, string>> = {
  prettier: '',
  oxlint: '',
  tsc: '',
  typedoc: '',
  vitest: `for a; do case $a in --outputFile.json=*) echo '${VITEST_REPORT}' > "\${a#*=}";; esac; done`,
  playwright: `echo '${PLAYWRIGHT_REPORT}' > "\${PLAYWRIGHT_JSON_OUTPUT_FILE:-reports/e2e.json}"`,
};
const BROWSERS =
  'chromium chromium-headless-shell firefox-esr WebKitWebDriver openbox xdotool Xvfb';

export function createProject(tools: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'ofage-scripts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ['scripts', '.ci']) {
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    });
  }
  const scripts = { build: 'node build.cjs', test: 'node scripts/test.mjs' };
  write(folder, 'package.json', JSON.stringify({ scripts }));
  write(folder, 'build.cjs', `console.log('tool: build');`);
  write(folder, 'scripts/facts.mjs', `console.log('tool: facts');`);
  write(folder, 'docs/build/main.mjs', `console.log('tool: site');`);
  for (const path of ['', 'docs', 'test', 'scripts/node']) pretendInstalled(join(folder, path));
  for (const [name, code] of Object.entries({ ...TOOLS, ...tools })) {
    const folderOfTool =
      name === 'tsc' ? 'test/node_modules/typescript-7/bin' : 'node_modules/.bin';
    writeProgram(folder, `${folderOfTool}/${name}`, `echo "tool: ${name} $*"\n${code}`);
  }
  for (const name of BROWSERS.split(' ')) writeProgram(folder, `browsers/${name}`, '');
  return folder;
}

export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

export function writeProgram(folder: string, path: string, code: string): void {
  write(folder, path, `#!/bin/sh\n${code}\n`);
  chmodSync(join(folder, path), 0o755);
}

/** Writes npm's record of an installation, and the Node with which the scripts run the tools. */
function pretendInstalled(folder: string): void {
  write(folder, 'package-lock.json', '{ "packages": {} }');
  write(folder, 'node_modules/.package-lock.json', '{ "packages": {} }');
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'));
}

/** Runs a program in the project. Returns its exit code, its output and the names of the tools that it ran. */
export function run(folder: string, program: string, ...args: string[]) {
  const { stdout, stderr, status } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, PATH: `${folder}/browsers:${process.env['PATH']}` },
  });
  const tools = [...stdout.matchAll(/^tool: (\w+)/gm)].map(([, name = '']) => name);
  return {
    code: status,
    stdout,
    stderr,
    tools: [...new Set(tools)].toSorted(),
    last: stdout.trim().split('\n').at(-1),
  };
}
