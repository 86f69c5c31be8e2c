import { doorJourneys } from './door-journeys.ts';
import { type Door, startDoor } from './support/door.ts';
import type { Tab } from './support/tab.ts';
import { test } from './support/test.ts';
import { startDisplay, startWebKit } from './support/webkit.ts';
import { devices } from '@playwright/test';

doorJourneys(
  test.extend<{ door: Door; computer: Tab; phone: Tab }>({
    door: async ({ shared }, use, { file }) => use(await shared(file, startDoor)),
    computer: async ({ shared, door }, use, { file }) => {
      const { display } = await shared(file, startDisplay);
      const { tab, stop } = await startWebKit(display, [], { proxyPort: door.proxyPort });
      await use(tab);
      await stop();
    },
    phone: async ({ shared, door }, use, { file }) => {
      const { display } = await shared(file, startDisplay);
      const { userAgent, viewport } = devices['iPhone 15']!;
      const args = [`--user-agent=${userAgent}`, `--geometry=${viewport.width}x${viewport.height}`];
      const { tab, stop } = await startWebKit(display, args, { proxyPort: door.proxyPort });
      await use(tab);
      await stop();
    },
  }),
);
