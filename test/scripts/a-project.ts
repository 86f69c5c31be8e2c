/** A project whose tools are shell scripts, in which scripts/test.mjs runs. */
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { makeSandbox, pretendInstalled, write } from './sandbox.ts';

export const vitestReport = JSON.stringify({
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
});
const playwrightReport = JSON.stringify({
  stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 },
});

/**
 * The commands that each fake tool runs after it has printed its name and arguments. Test runners write a
 * report.
 */
const TOOLS: Record<string, string> = {
  prettier: '',
  oxlint: '',
  tsc: '',
  typedoc: '',
  vitest: `for a; do case $a in --outputFile.json=*) echo '${vitestReport}' > "\${a#*=}";; esac; done`,
  playwright: `echo '${playwrightReport}' > reports/e2e.json`,
};

export function makeProject(tools: Record<string, string> = {}): string {
  const folder = makeSandbox({
    'package.json': { scripts: { build: 'node build.cjs' } },
    'build.cjs': `const fs = require('fs'); console.log('tool: build');
      import('./scripts/build.mjs').then(({ RESULTS }) => {
        for (const path of RESULTS) {
          fs.mkdirSync(require('path').dirname(path), { recursive: true });
          fs.writeFileSync(path, '');
        }
      });`,
    'scripts/facts.mjs': 'console.log("tool: facts")',
    'docs/build/main.mjs': `import { mkdirSync, writeFileSync } from 'node:fs';
      console.log('tool: site');
      mkdirSync('../dist-docs', { recursive: true });
      writeFileSync('../dist-docs/index.html', '');`,
  });
  pretendInstalled(folder);
  pretendInstalled(join(folder, 'test/consumers'));
  pretendInstalled(join(folder, 'docs'));
  for (const [name, body] of Object.entries({ ...TOOLS, ...tools })) {
    const path = `node_modules/.bin/${name}`;
    write(folder, path, `#!/bin/sh\necho "tool: ${name} $*"\n${body}\n`);
    chmodSync(join(folder, path), 0o755);
  }
  const browsers = ['chromium', 'chromium-headless-shell', 'firefox-esr', 'WebKitWebDriver'];
  for (const name of [...browsers, 'openbox', 'xdotool', 'Xvfb']) {
    write(folder, `browsers/${name}`, '');
    chmodSync(join(folder, 'browsers', name), 0o755);
  }
  return folder;
}

export const environment = (folder: string) => ({
  ...process.env,
  PATH: `${folder}/browsers:${process.env['PATH']}`,
});

export function test(folder: string, ...args: string[]) {
  return testIn(folder, environment(folder), ...args);
}

export function testIn(folder: string, env: NodeJS.ProcessEnv, ...args: string[]) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(folder, 'scripts/test.mjs'), ...args],
    { encoding: 'utf8', cwd: folder, env },
  );
  const called = [...stdout.matchAll(/^tool: (\w+)/gm)].map((match) => match[1]);
  return {
    stdout,
    stderr,
    called: [...new Set(called)],
    last: stdout.trim().split('\n').at(-1),
    code: status,
  };
}
