/** Which browsers the tests use, and what is installed, on computers with other programs than this one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { availableProjects, findChromium, installBrowsers } from '../../scripts/browsers.mjs';
import { aFolder } from '../support/folder.ts';
import { write, writeProgram } from './a-project.ts';

const NEEDED = ['chromium', 'firefox-esr', 'openbox', 'WebKitWebDriver', 'xdotool', 'Xvfb'];
const SHELL = 'chromium-headless-shell';

let stderr: string[];
beforeEach(() => {
  stderr = [];
  vi.spyOn(console, 'error').mockImplementation((text) => void stderr.push(text));
  vi.spyOn(console, 'log').mockImplementation(() => {});
  for (const name of ['CHROMIUM', 'FIREFOX', 'CI']) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Pretends to be a computer that has only these commands. Returns the folder of the commands. */
function useComputer(commands: readonly string[], user: 'root' | 'a user' = 'a user'): string {
  const folder = aFolder();
  for (const name of commands) writeProgram(folder, name, '');
  vi.stubEnv('PATH', `/nothing:${folder}`);
  vi.spyOn(process, 'getuid').mockReturnValue(user === 'root' ? 0 : 1000);
  return folder;
}

describe('the browser tests run', () => {
  const CHROMIUM = ['chromium', 'chromium-windows'];
  const FIREFOX = ['firefox', 'firefox-frames'];

  it.each<[commands: string[], variables: Record<string, string>, projects: string[]]>([
    [[], {}, []],
    [[], { CHROMIUM: '' }, []],
    [[], { CHROMIUM: '/opt/chrome' }, CHROMIUM],
    [[], { FIREFOX: '/opt/firefox' }, FIREFOX],
    [['chromium'], {}, CHROMIUM],
    [['firefox-esr'], {}, FIREFOX],
    [['WebKitWebDriver'], {}, []],
    [['WebKitWebDriver', 'Xvfb'], {}, ['webkit']],
    [NEEDED, {}, [...CHROMIUM, ...FIREFOX, 'webkit', 'focus']],
  ])('with the commands %j and the variables %j: %j', (commands, variables, projects) => {
    useComputer(commands);
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect(availableProjects()).toEqual(projects);
  });

  it.each([
    [[], undefined, undefined],
    [['chromium'], undefined, 'chromium'],
    [['chromium', SHELL], undefined, SHELL],
    [['chromium', SHELL], '/opt/chrome', '/opt/chrome'],
  ])('the commands %j and the variable %s give the Chromium %s', (commands, variable, found) => {
    const folder = useComputer(commands);
    vi.stubEnv('CHROMIUM', variable);
    const isPath = found === undefined || found.startsWith('/');
    expect(findChromium()).toBe(isPath ? found : join(folder, found));
  });
});

describe('a user who cannot install browsers', () => {
  it.each<[commands: string[], ci: string | undefined, code: number, text: RegExp | null]>([
    [NEEDED, undefined, 0, null],
    [NEEDED, '1', 0, null],
    [['chromium'], undefined, 0, /^Not tested here: Firefox, WebKit, windows .* openbox /],
    [['chromium'], '1', 1, /^Cannot test: Firefox, WebKit, windows with real focus\. .*openbox /],
    [[], undefined, 1, /^Cannot test: Chromium, Firefox, WebKit, windows with real focus\. /],
  ])('with the commands %j and CI=%s gets the exit code %i', async (commands, ci, code, text) => {
    useComputer([...commands, 'apt-get']);
    vi.stubEnv('CI', ci);
    expect(await installBrowsers()).toBe(code);
    expect(stderr).toEqual(text === null ? [] : [expect.stringMatching(text)]);
  });

  it('is root of a system without apt-get', async () => {
    useComputer(['chromium'], 'root');
    expect(await installBrowsers()).toBe(0);
    expect(stderr).toEqual([expect.stringMatching(/^Not tested here: Firefox/)]);
  });
});

describe('root of a Debian', () => {
  /** Installs a package: writes its command. The names of three packages differ from their commands. */
  const INSTALLS = `for a; do case $a in
    webkit2gtk-driver) c=WebKitWebDriver;; xvfb) c=Xvfb;; -*|install|update) continue;; *) c=$a;; esac
    : > "$FOLDER/$c"; /bin/chmod +x "$FOLDER/$c"; done`;

  async function install(commands: readonly string[], aptGet: string) {
    const folder = useComputer(commands, 'root');
    const log = join(folder, 'calls.log');
    writeProgram(folder, 'apt-get', `FOLDER=${folder}; echo "$*" >> ${log}\n${aptGet}`);
    write(folder, 'calls.log', '');
    const code = await installBrowsers();
    const calls = readFileSync(log, 'utf8').split('\n').slice(0, -1);
    return { code, calls };
  }

  it('gets nothing if everything is there', async () => {
    expect(await install([...NEEDED, SHELL], 'exit 1')).toEqual({ code: 0, calls: [] });
  });

  it('gets what is missing, after the list of packages was updated', async () => {
    const { code, calls } = await install(['chromium', 'openbox', 'xdotool'], INSTALLS);
    const missing = `firefox-esr webkit2gtk-driver xvfb ${SHELL}`;
    expect(calls).toEqual(['update -q', `install -y -q --no-install-recommends ${missing}`]);
    expect(code).toBe(0);
  });

  it('is told if the list cannot be updated, or a package not be installed', async () => {
    const failing = 'exit 100';
    const update = await install(['chromium'], `[ $1 = install ] || ${failing}`);
    expect(update).toEqual({ code: 1, calls: ['update -q'] });
    const last = await install(NEEDED.slice(1), `[ $1 = update ] || ${failing}`);
    expect(last).toMatchObject({ code: 1, calls: { length: 2 } });
    expect(stderr.at(-1)).toBe(
      'Cannot install the browsers: apt-get ended with code 100: chromium',
    );
  });

  it('is told if apt-get says that it has installed a package, but its command is missing', async () => {
    expect((await install(NEEDED.slice(1), '')).code).toBe(1);
    expect(stderr).toEqual([
      'Cannot install the browsers: their commands are not on PATH: chromium',
    ]);
  });

  it('tests with the whole Chromium if only the smaller one cannot be installed', async () => {
    expect((await install(NEEDED, 'exit 100')).code).toBe(0);
    expect(stderr).toEqual([]);
  });
});
