// Installs the Debian packages that the end-to-end tests need: the browsers, and a desktop with real focus.
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

/**
 * The name of the Debian package of Chromium without the parts of a desktop browser, and of its command.
 * The tests of the pages need a third less CPU with it, and run with `chromium` if it cannot be installed.
 */
const HEADLESS_SHELL = 'chromium-headless-shell';

/**
 * The engines of the browser tests: the Playwright projects of each, the packages it needs, and the
 * environment variable that names another browser of the same engine.
 */
const ENGINES = {
  Chromium: {
    projects: ['chromium', 'chromium-windows'],
    packages: ['chromium'],
    variable: 'CHROMIUM',
  },
  Firefox: {
    projects: ['firefox', 'firefox-frames'],
    packages: ['firefox-esr'],
    variable: 'FIREFOX',
  },
  WebKit: { projects: ['webkit'], packages: ['webkit2gtk-driver', 'xvfb'] },
  'windows with real focus': { projects: ['focus'], packages: Object.keys(PACKAGES) },
};

/** Returns the Playwright projects whose browsers are installed. */
export const availableProjects = () =>
  Object.values(ENGINES)
    .filter(isAvailable)
    .flatMap(({ projects }) => projects);

/** Returns the path of Chromium, preferably the smaller one, or `undefined`. */
export const findChromium = () =>
  process.env[ENGINES.Chromium.variable] ?? findOnPath(HEADLESS_SHELL) ?? findOnPath('chromium');

/**
 * Installs the packages that are missing, on Debian as root. Elsewhere it says which engines cannot be
 * tested, which is an error if `CI` is set or if no engine is left. Returns the exit code.
 */
export async function installBrowsers() {
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) return reportMissing();
  const wanted = [...missingPackages(), ...(isOnPath(HEADLESS_SHELL) ? [] : [HEADLESS_SHELL])];
  if (wanted.length === 0) return 0;
  console.log(`Installing the browsers: ${wanted.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = ['-y', '-q', '--no-install-recommends'];
  const code =
    (await run('apt-get', ['update', '-q'], { env })) ||
    (await run('apt-get', ['install', ...options, ...wanted], { env }));
  const still = missingPackages();
  if (still.length > 0) {
    const reason =
      code === 0 ? 'their commands are not on PATH' : `apt-get ended with code ${code}`;
    console.error(`Cannot install the browsers: ${reason}: ${still.join(' ')}`);
    return 1;
  }
  if (code !== 0)
    console.log(
      `Testing the pages with chromium instead of ${HEADLESS_SHELL}: apt-get ended with code ${code}`,
    );
  return 0;
}

function reportMissing() {
  const untested = Object.keys(ENGINES).filter((name) => !isAvailable(ENGINES[name]));
  if (untested.length === 0) return 0;
  const isError = Boolean(process.env.CI) || availableProjects().length === 0;
  const cure = `On Debian, install as root: apt-get install ${missingPackages().join(' ')}`;
  console.error(`${isError ? 'Cannot test' : 'Not tested here'}: ${untested.join(', ')}. ${cure}`);
  return isError ? 1 : 0;
}

function isAvailable({ packages, variable }) {
  return Boolean(process.env[variable]) || packages.every((name) => isOnPath(PACKAGES[name]));
}

/** Returns the packages whose command is not on PATH. */
function missingPackages() {
  return Object.keys(PACKAGES).filter((name) => !isOnPath(PACKAGES[name]));
}

const isOnPath = (command) => findOnPath(command) !== undefined;

function findOnPath(command) {
  const files = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, command));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await installBrowsers();
