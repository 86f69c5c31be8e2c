import { execFileSync } from 'node:child_process';
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';

/** Finds Debian's browsers, which scripts/browsers.mjs installs. Nothing is downloaded. */
const onPath = (name: string): string =>
  execFileSync('sh', ['-c', `command -v ${name} || true`], { encoding: 'utf8' }).trim();

const IN_A_FRAME = /in a (cross-site frame|frame without an origin)/;

/** The scenarios that only Chromium runs, or none in the whole matrix. See ONE_ENGINE in scenarios. */
const ONE_ENGINE = process.env.OFAGE_CHECKS === 'all' ? [] : [/@one-engine/];

const chromium: NonNullable<PlaywrightTestConfig['use']> = {
  browserName: 'chromium',
  permissions: ['camera'],
  // Animations are slow here because there is no graphics card.
  contextOptions: { reducedMotion: 'reduce' },
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? onPath('chromium'),
    // Keeps the popup blocker enabled, which the tests of blocked windows need.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    args: [
      '--disable-gpu',
      '--disable-quic',
      // Prevents DNS look-ups outside this machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
      '--use-fake-device-for-media-stream=fps=5',
      '--use-fake-ui-for-media-stream',
    ],
  },
};

/** Chromium without the parts of a desktop browser, which takes a third less CPU. It blocks no popups. */
const headlessShell: PlaywrightTestConfig['use'] = {
  ...chromium,
  launchOptions: {
    ...chromium.launchOptions,
    executablePath:
      process.env.CHROMIUM ?? (onPath('chromium-headless-shell') || onPath('chromium')),
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
  // Maps `vitest` to support/vitest.ts.
  tsconfig: './tsconfig.json',
  outputDir: '../../reports/e2e',
  timeout: 45_000,
  expect: { timeout: 10_000 },
  // More workers than cores: most scenarios only wait for the SDK's grace periods, in parallel with the
  // CPU-bound tests of the pages. Eight were no faster, and one test of real focus then saw a closed window
  // too late.
  workers: 6,
  fullyParallel: true,
  forbidOnly: true,
  // One retry for the tests of the pages, because a busy machine can be slower than a test allows. A test
  // that passes only on the second try is reported as flaky. playwright.spec.ts, webkit.spec.ts and
  // tabs.spec.ts disable retries, because a false cancel or an attempt sent twice must never happen.
  retries: 1,
  reporter: [['list'], ['json', { outputFile: '../../reports/e2e.json' }]],
  // A trace takes a third more time, and more on pages with much content. To record one:
  // npm run e2e -- --trace on
  use: { trace: 'off', screenshot: 'only-on-failure', actionTimeout: 10_000 },
  projects: [
    {
      name: 'chromium',
      workers: 3,
      testMatch: [
        'five-minutes.spec.ts',
        'every-state.spec.ts',
        'journey.spec.ts',
        'hosted.spec.ts',
        'hosted-layout.spec.ts',
        'shop.spec.ts',
        'shop-code.spec.ts',
        'shop-results.spec.ts',
        'static.spec.ts',
        'first-load.spec.ts',
        'testing.spec.ts',
        'browser-tests-guide.spec.ts',
        'script-tag.spec.ts',
        'conformance.spec.ts',
        'labs.spec.ts',
        'console.spec.ts',
        'console-pages.spec.ts',
        'timeline.spec.ts',
        'overview.spec.ts',
        'console-webhooks.spec.ts',
        'console-buttons.spec.ts',
        'many-pages.spec.ts',
        'docs-search.spec.ts',
        'docs-site.spec.ts',
        'door.spec.ts',
        'door-console.spec.ts',
      ],
      use: headlessShell,
    },
    {
      name: 'chromium-windows',
      testMatch: [
        'playwright.spec.ts',
        'tabs.spec.ts',
        'labs-blocked.spec.ts',
        'prerender.spec.ts',
      ],
      use: chromium,
    },
    {
      name: 'firefox',
      // Each worker starts a Firefox, which takes four seconds of CPU.
      workers: 3,
      testMatch: [
        'playwright.spec.ts',
        'tabs.spec.ts',
        'shop-firefox.spec.ts',
        'door.spec.ts',
        'timeline.spec.ts',
      ],
      grepInvert: [IN_A_FRAME, ...ONE_ENGINE],
      use: firefox({}),
    },
    {
      // Input does not reach a frame in a separate process, so this disables site isolation.
      name: 'firefox-frames',
      workers: 1,
      testMatch: ['playwright.spec.ts'],
      grep: IN_A_FRAME,
      grepInvert: ONE_ENGINE,
      use: firefox({ 'fission.webContentIsolationStrategy': 0 }),
    },
    // Browsers without a driver, each on a separate desktop.
    { name: 'focus', workers: 3, testMatch: ['focus.spec.ts'] },
    // Uses plain WebDriver. Its fixtures never request a Playwright browser.
    {
      name: 'webkit',
      // Each test starts a browser.
      workers: 3,
      testMatch: ['webkit.spec.ts', 'shop-webkit.spec.ts', 'door-webkit.spec.ts'],
      grepInvert: ONE_ENGINE,
    },
  ],
});
