/** A desktop with real focus: Xvfb, the window manager openbox, and xdotool for mouse and keyboard. */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startDisplay } from '../support/webkit.ts';

const run = promisify(execFile);
/** Time for openbox to start managing the display. It needs a few milliseconds and does not report it. */
const MANAGER_MS = 500;

export interface DesktopWindow {
  readonly id: string;
  readonly title: string;
}

export interface Desktop {
  /** Environment of programs that appear on this desktop. HOME is an empty folder. */
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  windows(): Promise<readonly DesktopWindow[]>;
  /** Raises a window and gives it the focus, as the task bar does. */
  activate(id: string): Promise<void>;
  /** Clicks with the left button in the lower middle of a window, where every browser shows the page. */
  click(id: string): Promise<void>;
  /** Presses keys in the window that has the focus, for example `alt+F4`. */
  press(keys: string): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the commands of a desktop that are not installed. */
export function missingCommands(): string[] {
  const found = (name: string): boolean =>
    spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0;
  return ['Xvfb', 'openbox', 'xdotool'].filter((name) => !found(name));
}

export async function startDesktop(): Promise<Desktop> {
  const { display, stop: stopDisplay } = await startDisplay();
  const home = await mkdtemp(join(tmpdir(), 'ofage-desktop-'));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DISPLAY: display,
    GDK_BACKEND: 'x11',
    HOME: home,
    LANG: 'en_US.UTF-8',
    NO_AT_BRIDGE: '1',
    XDG_CONFIG_HOME: home,
  };
  const manager: ChildProcess = spawn('openbox', [], { env, stdio: 'ignore' });
  await sleep(MANAGER_MS);
  const xdotool = async (...args: string[]): Promise<string> =>
    (await run('xdotool', args, { env, timeout: 10_000 })).stdout.trim();

  return {
    env,
    home,
    async windows() {
      // xdotool exits with code 1 when no window matches.
      const ids = await xdotool('search', '--onlyvisible', '--name', '.').catch(() => '');
      return Promise.all(
        ids
          .split('\n')
          .filter(Boolean)
          .map(async (id) => ({ id, title: await xdotool('getwindowname', id).catch(() => '') })),
      );
    },
    async activate(id) {
      await xdotool('windowactivate', id);
    },
    async click(id) {
      const geometry = await xdotool('getwindowgeometry', '--shell', id);
      const [, width = '0'] = /WIDTH=(\d+)/.exec(geometry) ?? [];
      const [, height = '0'] = /HEIGHT=(\d+)/.exec(geometry) ?? [];
      const x = String(Math.round(Number(width) / 2));
      const y = String(Number(height) - 60);
      await xdotool('mousemove', '--window', id, x, y, 'click', '1');
    },
    async press(keys) {
      await xdotool('key', '--clearmodifiers', keys);
    },
    async stop() {
      manager.kill('SIGKILL');
      await stopDisplay();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
