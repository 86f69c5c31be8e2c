import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BrowserLike } from '../../conformance/index.ts';
import { reasonOf } from '../store/errors.ts';

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
export async function openBrowser(
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
