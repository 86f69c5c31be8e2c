// What differs on Windows. Like install.mjs, this runs on Node 18 and imports no installed package.
import { spawnSync } from 'node:child_process';
import { posix, win32 } from 'node:path';

const isWindows = (platform) => platform === 'win32';

/** Returns a path with slashes, for comparisons. Rollup and Vite name modules by their path on the disk. */
export const toSlashes = (path) => path.replaceAll('\\', '/');

/**
 * Returns the program and the first arguments that run npm. On Windows, `npm` is the shell script `npm.cmd`,
 * which Node cannot start without a shell. A shell would need quotes, so npm's program is started instead.
 *
 * @param {{ platform?: string, env?: { npm_execpath?: string }, execPath?: string }} options
 */
export function npmCommand({
  platform = process.platform,
  env = process.env,
  execPath = process.execPath,
} = {}) {
  if (!isWindows(platform)) return ['npm'];
  // npm sets this variable for the scripts that it runs, and so do its replacements.
  const own = env.npm_execpath ?? '';
  const beside = win32.join(win32.dirname(execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  return [execPath, win32.basename(own) === 'npm-cli.js' ? own : beside];
}

/**
 * Returns the path of the Node that npm has installed into a folder. On Windows, the file in `.bin` is a shell
 * script.
 *
 * @param {string} folder
 * @param {{ platform?: string, arch?: string }} options
 */
export const installedNode = (folder, { platform = process.platform, arch = process.arch } = {}) =>
  isWindows(platform)
    ? win32.join(folder, 'node_modules', `node-win-${arch}`, 'bin', 'node.exe')
    : posix.join(folder, 'node_modules/.bin/node');

/**
 * Tells whether a child process has to be told about a signal. On Windows, Ctrl-C reaches every process of the
 * console, and a signal that one process sends to another ends it at once, before it can close anything.
 *
 * @param {string} platform
 */
export const passesSignals = (platform = process.platform) => !isWindows(platform);

/**
 * Tells whether the children of a process can be a group of their own. On Windows, they would get a window.
 *
 * @param {string} platform
 */
export const hasProcessGroups = (platform = process.platform) => !isWindows(platform);

/**
 * Sends a signal to a process and its children, or ends them on Windows if the signal is SIGKILL.
 *
 * @param {number} pid
 * @param {string} signal
 * @param {{
 *   platform?: string,
 *   kill?: (pid: number, signal: string) => unknown,
 *   runSync?: (program: string, args: string[]) => unknown,
 * }} options
 */
export function signalAll(
  pid,
  signal,
  { platform = process.platform, kill = process.kill, runSync = spawnSync } = {},
) {
  if (isWindows(platform)) {
    if (signal === 'SIGKILL') runSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    return;
  }
  try {
    kill(-pid, signal);
  } catch {
    // The process group has ended already.
  }
}
