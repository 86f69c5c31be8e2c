/** The guide "Verify a shopper in five minutes", with the packed package in a clean folder. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { npmEnv, packPackage, ROOT } from '../support/packages.ts';
import { findFreePort } from '../support/free-port.ts';
import { closeResult, passThrough } from './support/hosted-page.ts';
import { test } from './support/test.ts';

// One worker, because each worker would have to follow the guide. npm can be slow on a busy machine.
test.describe.configure({ mode: 'default', timeout: 120_000 });

let guide: FollowedGuide;
test.beforeAll(async () => {
  guide = await followGuide();
});
test.afterAll(() => guide?.stop());

for (const [scenario, result, event] of [
  ['verified', 'Welcome, the shop is open', 'verification.completed'],
  ['failed_age_not_met', 'Sorry, the shop stays closed', 'verification.failed'],
] as const) {
  test(`five minutes: the page shows the server's decision after ${scenario}, and the doctor finds no problem`, async ({
    page,
  }) => {
    await page.goto(guide.url);
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Verify my age' }).click(),
    ]);
    await passThrough(popup, scenario);
    if (scenario !== 'verified') await closeResult(popup);
    await expect(page.getByRole('status')).toHaveText(result);
    await expect.poll(guide.readOutput).toContain(`Webhook ${event}`);
    expect(guide.askDoctor()).toContain('\n0 problems, 1 warning, ');
  });
}

interface FollowedGuide {
  /** The address that the guide tells the reader to open. */
  url: string;
  /** Returns the output of the mock and the server so far. */
  readOutput(): string;
  /** Runs the last command of the guide, and returns its output. */
  askDoctor(): string;
  stop(): void;
}

/** Runs each step as printed, except for the ports and the source from which npm installs the package. */
async function followGuide(): Promise<FollowedGuide> {
  const [mockPort, shopPort] = [String(await findFreePort()), String(await findFreePort())];
  const guide = readFileSync(join(ROOT, 'docs/guides/five-minutes.md'), 'utf8')
    .replaceAll('4010', mockPort)
    .replaceAll('3000', shopPort)
    .replaceAll('ofage-mock --', `ofage-mock --port ${mockPort} --`);
  const blocks = Array.from(
    guide.matchAll(/```(\w+)\n([\s\S]*?)```/g),
    ([, language, code = '']) => ({
      language,
      code,
    }),
  );
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
  const [install = '', startMock = '', startServer = '', askDoctor = ''] = commands;

  const parent = mkdtempSync(join(tmpdir(), 'ofage-five-minutes-'));
  const tarballs = [packPackage('ofage', parent), packPackage('ofage-mock', parent)];
  const env = { ...npmEnv(), OFAGE_MOCK_URL: `http://127.0.0.1:${mockPort}`, NO_COLOR: '1' };
  const fromTarballs = install.replace(
    'install ofage ofage-mock',
    `install --offline --silent ${tarballs.join(' ')}`,
  );
  execFileSync('/bin/sh', ['-ec', fromTarballs], { cwd: parent, env, stdio: 'pipe' });
  const folder = join(parent, 'age-check');
  for (const { code } of blocks) {
    const [, name] = /^(?:\/\/|<!--) (\w+\.\w+)/.exec(code) ?? [];
    if (name) writeFileSync(join(folder, name), code);
  }

  const mock = startProgram(startMock, folder, env);
  await expect.poll(mock.readOutput, { timeout: 60_000 }).toContain('Ctrl-C stops it');
  const server = startProgram(startServer, folder, env);
  const url = /`(http:\/\/localhost:\d+)`/.exec(guide)?.[1] ?? '';
  await expect
    .poll(() =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  return {
    url,
    readOutput: () => mock.readOutput() + server.readOutput(),
    askDoctor: () =>
      execFileSync('/bin/sh', ['-ec', askDoctor], { cwd: folder, env, encoding: 'utf8' }),
    stop: () => {
      mock.stop();
      server.stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

interface Program {
  readOutput(): string;
  stop(): void;
}

function startProgram(command: string, cwd: string, env: NodeJS.ProcessEnv): Program {
  // A process group, because `npx` starts further processes, which must stop too.
  const child = spawn('/bin/sh', ['-ec', command], { cwd, env, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return {
    readOutput: () => output,
    stop: () => void process.kill(-child.pid!, 'SIGTERM'),
  };
}
