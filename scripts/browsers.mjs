// Installs what the end-to-end tests need from Debian: the browsers, and a desktop with real focus.
// Downloads nothing from any other source.
//   node scripts/browsers.mjs
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** Debian's packages, each with the command that proves it is installed. */
const PACKAGES = {
  chromium: 'chromium',
  'firefox-esr': 'firefox-esr',
  openbox: 'openbox',
  'webkit2gtk-driver': 'WebKitWebDriver',
  xdotool: 'xdotool',
  xvfb: 'Xvfb',
};

/** Installs the packages that are missing. Returns the exit code: 0 when all are installed. */
export async function installBrowsers() {
  const missing = missingPackages();
  if (missing.length === 0) return 0;
  const names = missing.join(' ');
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    console.error(
      `Cannot run the browser tests: install ${names} first, as root: apt-get install ${names}`,
    );
    return 1;
  }
  console.log(`Installing the browsers: ${names}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const updated = await run('apt-get', ['update', '-q'], { env });
  if (updated !== 0) return fail(`apt-get update ended with code ${updated}`);
  const args = ['install', '-y', '-q', '--no-install-recommends', ...missing];
  const installed = await run('apt-get', args, { env });
  if (installed !== 0) return fail(`apt-get install ended with code ${installed}`);
  const still = missingPackages();
  return still.length === 0 ? 0 : fail(`not on PATH after the installation: ${still.join(' ')}`);
}

/** The packages whose command is not on PATH. */
export function missingPackages() {
  return Object.keys(PACKAGES).filter((name) => !isOnPath(PACKAGES[name]));
}

function isOnPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function fail(reason) {
  console.error(`Cannot install the browsers: ${reason}`);
  return 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await installBrowsers();
