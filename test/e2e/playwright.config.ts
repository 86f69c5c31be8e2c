import { execFileSync } from 'node:child_process';
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';

/** Debian's browsers: nothing is downloaded. scripts/browsers.mjs installs them. */
const onPath = (name: string): string =>
  execFileSync('sh', ['-c', `command -v ${name} || true`], { encoding: 'utf8' }).trim();

const IN_A_FRAME = /a frame (of another site|without an origin)/;

const chromium: PlaywrightTestConfig['use'] = {
  browserName: 'chromium',
  permissions: ['camera'],
  // What moves is drawn without a graphics card here.
  contextOptions: { reducedMotion: 'reduce' },
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? onPath('chromium'),
    // Without the popup blocker a blocked window cannot be tested.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    args: [
      '--disable-gpu',
      '--disable-quic',
      // Nothing outside this machine is ever looked up.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
      '--use-fake-device-for-media-stream=fps=5',
      '--use-fake-ui-for-media-stream',
    ],
  },
};

const firefox = (prefs: Record<string, number>): NonNullable<PlaywrightTestConfig['use']> => ({
  browserName: 'firefox',
  channel: 'moz-firefox',
  launchOptions: {
    executablePath: process.env.FIREFOX ?? onPath('firefox-esr'),
    env: { ...process.env, MOZ_REMOTE_SETTINGS_DEVTOOLS: '1' } as Record<string, string>,
    firefoxUserPrefs: {
      'dom.disable_open_during_load': true,
      'media.navigator.streams.fake': true,
      'media.navigator.permission.disabled': true,
      'services.settings.server': 'data:,#remote-settings-dummy/v1',
      ...prefs,
    },
  },
});

export default defineConfig({
  testDir: '.',
  // Where `vitest` is this folder's stand-in for it.
  tsconfig: './tsconfig.json',
  outputDir: '../../reports/e2e',
  timeout: 45_000,
  expect: { timeout: 10_000 },
  // More than cores: beside the pages, which are all work, go scenarios, which mostly wait for the SDK's
  // graces to pass.
  workers: 6,
  fullyParallel: true,
  forbidOnly: true,
  // For the pages, where a busy machine can be slower than a test allows; a second try is reported as
  // flaky. What must never happen even once (a false cancel, an attempt sent twice) has no second try.
  retries: 1,
  reporter: [['list'], ['json', { outputFile: '../../reports/e2e.json' }]],
  // A trace takes a third of the time and more where there is much on a page; to see what a test did:
  // npm run e2e -- --trace on
  use: { trace: 'off', screenshot: 'only-on-failure', actionTimeout: 10_000 },
  projects: [
    {
      name: 'chromium',
      workers: 3,
      testMatch: [
        'journey.spec.ts',
        'inspector.spec.ts',
        'hosted.spec.ts',
        'shop.spec.ts',
        'static.spec.ts',
        'testing.spec.ts',
        'contract.spec.ts',
        'dashboard.spec.ts',
        'dashboard-states.spec.ts',
        'labs.spec.ts',
        'many-pages.spec.ts',
      ],
      use: chromium,
    },
    { name: 'chromium-windows', testMatch: ['playwright.spec.ts', 'tabs.spec.ts'], use: chromium },
    {
      name: 'firefox',
      testMatch: ['playwright.spec.ts', 'tabs.spec.ts', 'shop-firefox.spec.ts'],
      grepInvert: IN_A_FRAME,
      use: firefox({}),
    },
    {
      // Input does not reach a frame that has a process of its own, so here it has none.
      name: 'firefox-frames',
      testMatch: ['playwright.spec.ts'],
      grep: IN_A_FRAME,
      use: firefox({ 'fission.webContentIsolationStrategy': 0 }),
    },
    // Browsers that nothing drives; a desktop each.
    { name: 'focus', workers: 3, testMatch: ['focus.spec.ts'] },
    // Driven by plain WebDriver: its fixtures never ask for a Playwright browser.
    { name: 'webkit', testMatch: ['webkit.spec.ts', 'shop-webkit.spec.ts'] },
  ],
});
