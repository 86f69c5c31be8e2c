// npm run screenshots: takes pictures of the pages in many states, on four screen sizes, light and dark.
// The pictures are only for viewing and are not compared.
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import e2e from '../e2e/playwright.config.ts';

const chromium = e2e.projects?.find(({ name }) => name === 'chromium')?.use;

const SCREENS: Readonly<Record<string, PlaywrightTestConfig['use']>> = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
  // The size of the SDK's popup.
  popup: { viewport: { width: 480, height: 720 } },
  laptop: { viewport: { width: 1366, height: 768 } },
  desk: { viewport: { width: 1440, height: 900 } },
};

export default defineConfig({
  testDir: '.',
  testMatch: 'screenshots.spec.ts',
  outputDir: '../../reports/screenshots-failed',
  timeout: 60_000,
  workers: 2,
  fullyParallel: true,
  reporter: 'list',
  projects: Object.entries(SCREENS).flatMap(([name, screen]) =>
    (['light', 'dark'] as const).map((colorScheme) => ({
      name: `${name}-${colorScheme}`,
      use: { ...chromium, ...screen, colorScheme, reducedMotion: 'reduce' as const },
    })),
  ),
});
