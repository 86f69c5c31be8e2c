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
const ENGINES = [
  {
    engine: 'Chromium',
    projects: ['chromium', 'chromium-windows'],
    packages: ['chromium'],
    variable: 'CHROMIUM',
  },
  {
    engine: 'Firefox',
    projects: ['firefox', 'firefox-frames'],
    packages: ['firefox-esr'],
    variable: 'FIREFOX',
  },
  { engine: 'WebKit', projects: ['webkit'], packages: ['webkit2gtk-driver', 'xvfb'] },
  {
    engine: 'windows with real focus',
    projects: ['focus'],
    packages: ['chromium', 'firefox-esr', 'openbox', 'webkit2gtk-driver', 'xdotool', 'xvfb'],
  },
];

/** Returns the Playwright projects whose browsers are installed. */
export function availableProjects(env = process.env) {
  return ENGINES.filter((engine) => isAvailable(engine, env)).flatMap(({ projects }) => projects);
}

/**
 * Installs the packages that are missing, on Debian as root. Elsewhere it says which engines cannot be
 * tested, which is an error if `CI` is set or if no engine is left. Returns the exit code.
 */
export async function installBrowsers(env = process.env) {
  const missing = missingPackages();
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    return missing.length === 0 ? 0 : reportMissing(missing, env);
  }
  const wanted = isOnPath(HEADLESS_SHELL) ? missing : [...missing, HEADLESS_SHELL];
  if (wanted.length === 0) return 0;
  console.log(`Installing the browsers: ${wanted.join(' ')}`);
  const problem = await install(wanted, env);
  const still = missingPackages();
  if (still.length > 0) {
    return fail(
      problem ??
        `the commands of these packages are not on PATH after the installation: ${still.join(' ')}`,
    );
  }
  if (problem)
    console.log(`Testing the pages with chromium instead of ${HEADLESS_SHELL}: ${problem}`);
  return 0;
}

/** Returns a description of the problem, if there was one. */
async function install(packages, env) {
  const aptEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
  const updated = await run('apt-get', ['update', '-q'], { env: aptEnv });
  if (updated !== 0) return `apt-get update ended with code ${updated}`;
  const args = ['install', '-y', '-q', '--no-install-recommends', ...packages];
  const installed = await run('apt-get', args, { env: aptEnv });
  return installed === 0 ? undefined : `apt-get install ended with code ${installed}`;
}

function reportMissing(missing, env) {
  const untested = ENGINES.filter((engine) => !isAvailable(engine, env));
  if (untested.length === 0) return 0;
  const names = untested.map(({ engine }) => engine).join(', ');
  const isError = Boolean(env.CI) || untested.length === ENGINES.length;
  const cure = `On Debian, install as root: apt-get install ${missing.join(' ')}`;
  console.error(`${isError ? 'Cannot test' : 'Not tested here'}: ${names}. ${cure}`);
  return isError ? 1 : 0;
}

function isAvailable({ packages, variable }, env) {
  return Boolean(env[variable]) || packages.every((name) => isOnPath(PACKAGES[name]));
}

/** Returns the packages whose command is not on PATH. */
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
