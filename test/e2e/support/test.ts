import { test as base } from '@playwright/test';
import { startProvider, type Provider } from './provider.ts';
import { startSites, type Sites } from './sites.ts';
import { startStaticSite, type StaticSite } from './static-site.ts';

interface Servers {
  /** The mock service with the demo shop, as `ofage-mock start --demo` runs them. */
  provider: Provider;
  /** The static playground, with no server behind it. */
  site: StaticSite;
  /** The merchant's and the hosted page for the SDK's scenarios. */
  sites: Sites;
}

interface Stoppable {
  stop(): unknown;
}

/** Returns the server that `start` created earlier for this file, or starts it. */
export type Shared = <Started extends Stoppable>(
  file: string,
  start: () => Promise<Started>,
) => Promise<Started>;

/**
 * The shared `test` of this folder. Servers are started once per file in each worker. A worker and its
 * browser outlive the file, which would not be the case if each file had its own worker fixtures.
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
        // The map stores the value that each function returned.
        return found as Awaited<ReturnType<typeof start>>;
      });
      await stop();
    },
    { scope: 'worker' },
  ],
  provider: async ({ shared }, use, { file }) => {
    const provider = await shared(file, startProvider);
    // Which tests ran before in this worker is chance.
    await provider.client.reset();
    await use(provider);
  },
  site: async ({ shared }, use, { file }) => use(await shared(file, startStaticSite)),
  sites: async ({ shared }, use, { file }) => use(await shared(file, startSites)),
});
