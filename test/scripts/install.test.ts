import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeSandbox, pretendInstalled, write } from './sandbox.ts';

const locked = {
  '': { name: 'project' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/for-macs': { version: '1.0.0', integrity: 'sha512-m', optional: true },
};
const { 'node_modules/for-macs': _, '': __, ...present } = locked;

/** Runs scripts/install.mjs with a fake npm that prints its arguments and runs the commands in `npm`. */
function install(folder: string, npm = 'exit 0') {
  write(folder, 'bin/npm', `#!/bin/sh\ncd ${folder}\necho "npm $*"\n${npm}\n`);
  chmodSync(join(folder, 'bin/npm'), 0o755);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(folder, 'scripts/install.mjs')],
    { encoding: 'utf8', env: { ...process.env, PATH: `${folder}/bin:/usr/bin:/bin` } },
  );
  return { stdout, stderr, code: status };
}

describe('scripts/install.mjs', () => {
  /** Commands of a fake npm that updates its record from package-lock.json, as the real npm does. */
  const repair =
    'mkdir -p node_modules/.bin; touch node_modules/.bin/node; cp package-lock.json node_modules/.package-lock.json';
  const b = { version: '1.0.0', integrity: 'sha512-b' };

  it.each([
    { why: 'all packages are installed', lock: locked, record: present, asks: false },
    {
      why: 'another version is locked',
      lock: { ...locked, 'node_modules/a': { version: '1.0.1', integrity: 'sha512-b' } },
      record: present,
      asks: true,
    },
    {
      why: 'the same version has another checksum',
      lock: { ...locked, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } },
      record: present,
      asks: true,
    },
    {
      why: 'a package was added',
      lock: { ...locked, 'node_modules/b': b },
      record: present,
      asks: true,
    },
    { why: 'a package was removed', lock: { '': {} }, record: present, asks: true },
    {
      why: 'a platform-specific package is not in the lock file',
      lock: locked,
      record: { ...present, 'node_modules/b': { ...b, optional: true } },
      asks: false,
    },
  ])('when $why, runs npm ci: $asks', ({ lock, record, asks }) => {
    const folder = makeSandbox();
    pretendInstalled(folder);
    write(folder, 'package-lock.json', { packages: lock });
    write(folder, 'node_modules/.package-lock.json', { packages: record });
    const { stdout, code } = install(folder, repair);
    expect(stdout.includes('npm ci')).toBe(asks);
    expect(code).toBe(0);
  });

  it('installs in a fresh clone', () => {
    const folder = makeSandbox({ 'package-lock.json': { packages: locked } });
    const { stdout, code } = install(folder, repair);
    expect(stdout).toContain('Installing the packages (node_modules is missing or incomplete)');
    expect(stdout).toContain('npm ci');
    expect(code).toBe(0);
  });

  it.each([
    { why: 'npm fails', npm: 'exit 7', says: 'npm ci ended with code 7', code: 7 },
    {
      why: 'install scripts are disabled, so that Node is missing',
      npm: 'mkdir -p node_modules',
      says: 'the install script of the package "node" did not run; is ignore-scripts set for npm?',
      code: 1,
    },
    {
      why: 'npm installs another version than the lock file',
      npm: `${repair}; sed -i s/1.0.0/1.0.9/ node_modules/.package-lock.json`,
      says: 'package-lock.json and package.json disagree: a 1.0.0 is missing or differs',
      code: 1,
    },
  ])('fails with a one-line message when $why', ({ npm, says, code }) => {
    const folder = makeSandbox({ 'package-lock.json': { packages: locked } });
    const result = install(folder, npm);
    expect(result.stderr).toBe(`Cannot install the packages: ${says}\n`);
    expect(result.code).toBe(code);
  });
});

describe('scripts/browsers.mjs', () => {
  /** Runs the script with a PATH that contains only these commands. */
  function run(commands: string[], aptGet?: string) {
    const folder = makeSandbox();
    mkdirSync(join(folder, 'bin'));
    for (const name of commands) write(folder, `bin/${name}`, '#!/bin/sh\n');
    if (aptGet !== undefined) write(folder, 'bin/apt-get', `#!/bin/sh\n${aptGet}\n`);
    for (const name of [...commands, ...(aptGet === undefined ? [] : ['apt-get'])]) {
      chmodSync(join(folder, 'bin', name), 0o755);
    }
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [join(folder, 'scripts/browsers.mjs')],
      { encoding: 'utf8', cwd: folder, env: { PATH: join(folder, 'bin') } },
    );
    return { stdout, stderr, code: status };
  }
  const all = ['chromium', 'firefox-esr', 'openbox', 'WebKitWebDriver', 'xdotool', 'Xvfb'];

  it('does nothing when all browsers are on PATH', () => {
    expect(run(all)).toEqual({ stdout: '', stderr: '', code: 0 });
    const withShell = [...all, 'chromium-headless-shell'];
    expect(run(withShell, 'exit 100')).toEqual({ stdout: '', stderr: '', code: 0 });
  });

  it('prints the install command in one line when it may not install', () => {
    const { stderr, code } = run(['chromium', 'openbox', 'xdotool', 'Xvfb']);
    expect(stderr).toBe(
      'Not tested here: Firefox, WebKit, windows with real focus. On Debian, install as root: apt-get install firefox-esr webkit2gtk-driver\n',
    );
    expect(code).toBe(0);
  });

  const asRoot = it.skipIf(process.getuid?.() !== 0);

  asRoot('installs missing packages as root', () => {
    const put = 'case "$1" in install) : > bin/Xvfb && /bin/chmod +x bin/Xvfb;; esac';
    const { stdout, code } = run(
      all.filter((name) => name !== 'Xvfb'),
      `echo "apt-get $*"\n${put}`,
    );
    expect(stdout).toContain('apt-get update -q\n');
    expect(stdout).toContain(
      'apt-get install -y -q --no-install-recommends xvfb chromium-headless-shell\n',
    );
    expect(code).toBe(0);
  });

  asRoot('continues without the headless shell if only that cannot be installed', () => {
    const { stdout, stderr, code } = run(all, 'exit 100');
    expect(stdout).toContain(
      'Testing the pages with chromium instead of chromium-headless-shell: apt-get update ended with code 100\n',
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  asRoot.each([
    { why: 'apt-get fails', aptGet: 'exit 100', says: 'apt-get update ended with code 100' },
    {
      why: 'a command is still missing afterwards',
      aptGet: 'exit 0',
      says: 'the commands of these packages are not on PATH after the installation: xvfb',
    },
  ])('fails with a message when $why', ({ aptGet, says }) => {
    const { stderr, code } = run(
      all.filter((name) => name !== 'Xvfb'),
      aptGet,
    );
    expect(stderr).toBe(`Cannot install the browsers: ${says}\n`);
    expect(code).toBe(1);
  });
});
