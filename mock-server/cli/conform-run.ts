import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import {
  type BrowserLike,
  conform,
  createControlDriver,
  createInteractiveDriver,
  parseDriver,
  type Driver,
  type Level,
  type Report,
} from '../../conformance/index.ts';
import { reasonOf } from '../store/errors.ts';

export interface ConformOptions {
  readonly apiBase: string | undefined;
  readonly secretKey: string | undefined;
  readonly publishableKey: string | undefined;
  readonly driver: string | undefined;
  readonly browser: string | undefined;
  readonly receiver: string | undefined;
  readonly receiverPort: number | undefined;
  readonly returnUrl: string | undefined;
  readonly level: Level;
  readonly only: readonly string[] | undefined;
  readonly name: string | undefined;
}

/**
 * Runs the conformance kit.
 * @param mockOrigin The address of the mock. Its API is checked unless the options name another one.
 */
export async function checkImplementation(
  options: ConformOptions,
  mockOrigin: string,
): Promise<Report> {
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
  const results = await conform(run).finally(() => browser?.close());
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
  // The control driver creates an account, with keys, for each check.
  const isOptional = driverName === 'control';
  if (!isOptional && secretKey === undefined) throw new Error('--secret-key is missing');
  if (!isOptional && publishableKey === undefined) throw new Error('--publishable-key is missing');
  return { secretKey: secretKey ?? '', publishableKey: publishableKey ?? '' };
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
    await terminal.question(text);
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
