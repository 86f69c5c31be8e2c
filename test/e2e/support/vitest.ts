/**
 * Replaces `vitest` when Playwright runs the conformance suite (see tsconfig.json beside the configuration).
 * The suite is written for one runner and needs only these functions.
 */
import { expect, type Browser } from '@playwright/test';
import { test } from './test.ts';

let browser: Browser | undefined;

/** Returns the browser of the worker that runs the suite. */
export function workerBrowser(): Browser {
  if (!browser) throw new Error('The suite has not started');
  return browser;
}

type Run = () => Promise<unknown> | unknown;

export const describe = (name: string, run: () => void): void => test.describe(name, run);

export const beforeAll = (run: Run): void => {
  test.beforeAll(async ({ browser: own }) => {
    browser = own;
    await run();
  });
};

export const afterAll = (run: Run): void => {
  test.afterAll(async () => {
    await run();
  });
};

/** Replaces `$name` in a title by the property of the row. */
const toTitle = (title: string, row: object): string =>
  title.replaceAll(/\$(\w+)/g, (_, name: string) => String((row as Record<string, unknown>)[name]));

export const it = Object.assign(
  (name: string, run: Run): void => test(name, async () => void (await run())),
  {
    each:
      <Row extends object>(rows: readonly Row[]) =>
      (title: string, run: (row: Row) => Promise<unknown> | unknown): void => {
        for (const row of rows) test(toTitle(title, row), async () => void (await run(row)));
      },
  },
);

export { expect };
