import { test as base } from '@playwright/test';
import { startProvider, type Provider } from './provider.ts';
import { startSites, type Sites } from './sites.ts';
import { startStaticSite, type StaticSite } from './static-site.ts';

interface Servers {
  /** The mock provider with the demo shop, as `ofage-mock start --demo` runs them. */
  provider: Provider;
  /** The static playground, with no server behind it. */
  site: StaticSite;
  /** Merchants and hosted pages for the SDK's scenarios. */
  sites: Sites;
}

interface Stoppable {
  stop(): unknown;
}

/** Gives what `start` made for this file before, or starts it. */
export type Shared = <Started extends Stoppable>(
  file: string,
  start: () => Promise<Started>,
) => Promise<Started>;

/**
 * The one `test` of this folder. Servers are started once for a file in a worker; a worker and its browser
 * outlive the file, as they would not if files had worker fixtures of their own.
 */
export const test = base.extend<Servers, { shared: Shared }>({
  shared: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from here
    async ({}, use) => {
      let current = '';
      const running = new Map<unknown, Stoppable>();
      const stop = async (): Promise<void> => {
        for (const started of running.values()) await started.stop();
        running.clear();
      };
      await use(async (file, start) => {
        if (file !== current) await stop();
        current = file;
        const found = running.get(start) ?? (await start());
        running.set(start, found);
        // What a function started is of the type it starts.
        return found as Awaited<ReturnType<typeof start>>;
      });
      await stop();
    },
    { scope: 'worker' },
  ],
  provider: async ({ shared }, use, { file }) => use(await shared(file, startProvider)),
  site: async ({ shared }, use, { file }) => use(await shared(file, startStaticSite)),
  sites: async ({ shared }, use, { file }) => use(await shared(file, startSites)),
});
