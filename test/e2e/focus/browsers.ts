/**
 * Starts browsers as a shopper does, without a driver. Playwright and WebDriver pretend that every page has
 * the focus, or send no focus events at all.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { miniBrowser } from '../support/webkit.ts';
import type { Desktop } from './desktop.ts';

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const;
export type Engine = (typeof ENGINES)[number];

export interface Browser {
  stop(): Promise<void>;
}

/** Starts a browser with an empty profile that shows `url`. */
export async function startBrowser(
  engine: Engine,
  { env, home }: Pick<Desktop, 'env' | 'home'>,
  url: string,
  options: readonly string[] = [],
): Promise<Browser> {
  const profile = await mkdtemp(join(home, 'profile-'));
  if (engine === 'firefox') await writeFile(join(profile, 'user.js'), firefoxPrefs());
  const [command, args] = COMMANDS[engine](profile);
  const browser = spawn(command, [...args, ...options, url], {
    env: { ...env, MOZ_REMOTE_SETTINGS_DEVTOOLS: '1' },
    stdio: 'ignore',
    // A separate process group, so that every process of the browser ends with it.
    detached: true,
  });
  const gone = once(browser, 'exit');
  return {
    async stop() {
      try {
        process.kill(-browser.pid!, 'SIGKILL');
      } catch {
        // The browser has already exited.
      }
      await gone;
    },
  };
}

const COMMANDS: Record<Engine, (profile: string) => [string, string[]]> = {
  chromium: (profile) => [
    process.env.CHROMIUM ?? 'chromium',
    [
      '--no-sandbox',
      '--no-first-run',
      '--no-default-browser-check',
      '--password-store=basic',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Prevents DNS look-ups outside this machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      '--window-position=0,0',
      '--window-size=1000,800',
      `--user-data-dir=${profile}`,
    ],
  ],
  firefox: (profile) => [
    process.env.FIREFOX ?? 'firefox-esr',
    ['--no-remote', '--profile', profile],
  ],
  webkit: () => [miniBrowser(), ['--private']],
};

/** Returns preferences that prevent network requests and the browser's welcome windows. */
function firefoxPrefs(): string {
  const prefs: Record<string, string | boolean> = {
    'app.update.enabled': false,
    'browser.aboutwelcome.enabled': false,
    'browser.preonboarding.enabled': false,
    'browser.safebrowsing.update.enabled': false,
    'browser.sessionstore.resume_from_crash': false,
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.homepage_override.mstone': 'ignore',
    'datareporting.policy.dataSubmissionEnabled': false,
    'extensions.update.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,#remote-settings-dummy/v1',
    'termsofuse.bypassNotification': true,
  };
  return Object.entries(prefs)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}
