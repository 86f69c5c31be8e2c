import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import {
  type BrowserLike,
  compareReports,
  conform as runConformance,
  createControlDriver,
  createInteractiveDriver,
  type Driver,
  LEVELS,
  parseDriver,
  parseReport,
  REPORTER_NAMES,
  REPORTERS,
  selectChecks,
  toSummaryLine,
  type Report,
} from '../../conformance/index.ts';
import { DEFAULT_URL } from '../../api/client.ts';
import { reasonOf } from '../../store/errors.ts';
import {
  choiceOf,
  type Command,
  type Env,
  integerOf,
  requireArguments,
  textOf,
  type Values,
} from '../command.ts';
import { describeUrl } from '../../store/safe-text.ts';
import { readJsonFile } from '../files.ts';
import { toScreen } from '../terminal.ts';

export const conform: Command = {
  name: 'conform',
  takes: '',
  summary: 'check an implementation of the service against the specification',
  action: 'check the implementation',
  details: `Sends requests to the API and compares the responses with the specification.
Checks that need more than the API use a driver: control is the control API of
the mock, interactive asks you to finish verifications, and FILE is a module
of your own. Checks of the hosted page use the browser that --browser names.
Checks whose driver or browser is missing are skipped.
The level reading adds checks of our interpretation of gaps in the specification.
The exit code is 1 if a check failed or if none ran. Use a mock whose data you
do not need, because its clock is moved.`,
  options: {
    api: { type: 'string', value: 'URL', text: 'base URL of the API (default: that of the mock)' },
    'secret-key': {
      type: 'string',
      value: 'KEY',
      text: 'better in OFAGE_SECRET_KEY; not needed with --driver control',
    },
    'publishable-key': {
      type: 'string',
      value: 'KEY',
      text: 'or OFAGE_PUBLISHABLE_KEY; not needed with --driver control',
    },
    driver: {
      type: 'string',
      value: 'NAME|FILE',
      text: 'control, interactive or a module (default control; none if --api is set)',
    },
    browser: {
      type: 'string',
      value: 'NAME|FILE',
      text: 'chromium, firefox or webkit of your Playwright, or the path of Chromium',
    },
    receiver: {
      type: 'string',
      value: 'URL',
      text: 'public address that forwards to --receiver-port',
    },
    'receiver-port': {
      type: 'string',
      value: 'NUMBER',
      text: 'port for webhooks (default: a free one)',
    },
    'return-url': {
      type: 'string',
      value: 'URL',
      text: 'an allowed returnUrl (default http://localhost/return)',
    },
    level: {
      type: 'string',
      value: 'LEVEL',
      text: 'must, should (default) or reading; each includes the previous levels',
    },
    only: {
      type: 'string',
      value: 'ID',
      text: 'only the checks or groups with these ids: create.policy,validate',
    },
    reporter: {
      type: 'string',
      value: 'NAME',
      text: `${REPORTER_NAMES.join(', ')} (default summary)`,
    },
    name: { type: 'string', value: 'TEXT', text: 'name of the implementation in comparisons' },
    compare: {
      type: 'string',
      value: 'FILE',
      text: 'show differences from an earlier report, written with --reporter json',
    },
  },
  read(words, values, env) {
    requireArguments('conform', [], words);
    const options = readOptions(values, env);
    return async (mock, print) => {
      const earlier = options.compare === undefined ? undefined : readReport(options.compare);
      const report = await checkImplementation(options, mock.origin);
      const format = REPORTERS[options.reporter];
      const comparison = earlier ? toComparison(report, earlier) : [];
      // Programs parse the other formats, so everything except the report is written to standard error.
      const isParsed = options.reporter !== 'summary';
      print.text(report, () => [...(isParsed ? [] : comparison), ...format(report).split('\n')]);
      if (isParsed) for (const line of [...comparison, toSummaryLine(report)]) print.note(line);
      const hasRun = report.results.some(({ status }) => status !== 'skipped');
      if (!hasRun) print.note('No check ran, because each was skipped');
      return hasRun && report.results.every(({ status }) => status !== 'failed') ? 0 : 1;
    };
  },
};

type ConformOptions = ReturnType<typeof readOptions>;

function readOptions(values: Values, env: Env) {
  const only = textOf(values, 'only')
    ?.split(',')
    .map((id) => id.trim());
  const level = choiceOf(values, 'level', LEVELS) ?? 'should';
  // Refuses a wrong id as misuse, before anything is sent.
  selectChecks({ level, only });
  return {
    apiBase: parseApiBase(textOf(values, 'api')),
    secretKey: textOf(values, 'secret-key') ?? env['OFAGE_SECRET_KEY'],
    publishableKey: textOf(values, 'publishable-key') ?? env['OFAGE_PUBLISHABLE_KEY'],
    driver: textOf(values, 'driver'),
    browser: textOf(values, 'browser'),
    receiver: textOf(values, 'receiver'),
    receiverPort: integerOf(values, 'receiver-port', { min: 0, max: 65_535 }),
    returnUrl: textOf(values, 'return-url'),
    level,
    only,
    name: textOf(values, 'name'),
    reporter: choiceOf(values, 'reporter', REPORTER_NAMES) ?? 'summary',
    compare: textOf(values, 'compare'),
  };
}

function parseApiBase(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url && url.username === '' && url.password === '') return text;
  throw new RangeError(
    `--api must be the base URL of an API, such as ${DEFAULT_URL}/api/v1, without a user name and a password, got "${describeUrl(text)}"`,
  );
}

function readReport(file: string): Report {
  try {
    return parseReport(readJsonFile(file));
  } catch (cause) {
    throw new Error(`Cannot use the report "${file}": ${reasonOf(cause)}`, { cause });
  }
}

function toComparison(report: Report, earlier: Report): string[] {
  const differences = compareReports(report, earlier);
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  const line = `${count} between ${report.name} and ${earlier.name}`;
  return [...differences, line, ''];
}

/**
 * Runs the conformance kit.
 * @param mockOrigin The address of the mock. Its API is checked unless the options name another one.
 */
async function checkImplementation(options: ConformOptions, mockOrigin: string): Promise<Report> {
  const { apiBase = `${mockOrigin}/api/v1`, level } = options;
  const driverName = options.driver ?? (options.apiBase === undefined ? 'control' : undefined);
  const { secretKey, publishableKey } = readKeys(options, driverName);
  const driver = await findDriver(driverName, apiBase);
  // A person needs to see the pages.
  const headless = driverName !== 'interactive';
  const browser =
    options.browser === undefined ? undefined : await openBrowser(options.browser, { headless });
  const startedAt = new Date();
  const run = { ...options, apiBase, secretKey, publishableKey, driver, browser };
  const results = await runConformance(run).finally(() => browser?.close());
  return {
    name: options.name ?? (driver?.mock ? 'the mock' : new URL(apiBase).host),
    apiBase,
    level,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    results,
  };
}

function readKeys(
  { secretKey, publishableKey }: ConformOptions,
  driverName: string | undefined,
): { secretKey: string; publishableKey: string } {
  // The control driver creates an account, with keys, for each check. It gets no others, because the keys of
  // the environment may be those of another service.
  if (driverName === 'control') return { secretKey: '', publishableKey: '' };
  return {
    secretKey: requireKey(secretKey, 'OFAGE_SECRET_KEY or --secret-key'),
    publishableKey: requireKey(publishableKey, 'OFAGE_PUBLISHABLE_KEY or --publishable-key'),
  };
}

/** Checks that a key is given that a header can have. A message about it does not show it. */
function requireKey(key: string | undefined, sources: string): string {
  if (key === undefined || key === '') throw new Error(`${sources} is missing`);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Error(`the key in ${sources} must have only visible ASCII characters, without spaces`);
}

async function findDriver(name: string | undefined, apiBase: string): Promise<Driver | undefined> {
  if (name === undefined) return undefined;
  if (name === 'control') return createControlDriver(new URL(apiBase).origin);
  if (name === 'interactive') return createInteractiveDriver(askPerson);
  try {
    const loaded = (await import(pathToFileURL(resolve(name)).href)) as { default?: unknown };
    return parseDriver(loaded.default);
  } catch (cause) {
    throw new Error(`Cannot use the driver "${name}": ${reasonOf(cause)}`, { cause });
  }
}

/** Asks on standard error, because the report is on standard output. */
async function askPerson(text: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const lines = toScreen(text.split('\n'), { isColoured: false });
    await terminal.question(`${lines.trimEnd()} `);
  } finally {
    terminal.close();
  }
}

const ENGINES = ['chromium', 'firefox', 'webkit'] as const;

type Playwright = Readonly<Record<(typeof ENGINES)[number], BrowserType>>;

interface BrowserType {
  launch(options: { headless: boolean; executablePath?: string }): Promise<OpenBrowser>;
}

interface OpenBrowser extends BrowserLike {
  close(): Promise<void>;
}

/**
 * Starts a browser with the Playwright of the project in the working directory.
 * @param browser The name of an engine, or the path of a Chromium executable
 */
async function openBrowser(
  browser: string,
  { headless }: { readonly headless: boolean },
): Promise<OpenBrowser> {
  const playwright = loadPlaywright();
  const engine = ENGINES.find((name) => name === browser);
  try {
    if (engine) return await playwright[engine].launch({ headless });
    return await playwright.chromium.launch({ headless, executablePath: browser });
  } catch (cause) {
    // After its first line, Playwright's message is a drawing or a log.
    const [reason] = reasonOf(cause).split('\n');
    throw new Error(`Cannot start the browser "${browser}": ${reason}`, { cause });
  }
}

function loadPlaywright(): Playwright {
  // Resolves from the project, because this command may be in another folder, such as the cache of npx.
  const require = createRequire(join(process.cwd(), 'package.json'));
  for (const name of ['playwright', '@playwright/test']) {
    try {
      return require(name) as Playwright;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error(
    'Cannot use --browser: the project in this directory has neither playwright nor @playwright/test',
  );
}
