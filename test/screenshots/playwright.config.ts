// npm run screenshots: every page in every state, on a phone and a desktop, light and dark. The pictures
// are for viewing and are not compared.
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import e2e from '../e2e/playwright.config.ts';

const chromium = e2e.projects?.find(({ name }) => name === 'chromium')?.use;

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const DESK = { viewport: { width: 1280, height: 900 } };

type Project = NonNullable<PlaywrightTestConfig['projects']>[number];

const project = (name: string, use: Project['use']): Project => ({
  name,
  use: { ...chromium, ...use, reducedMotion: 'reduce' },
});

export default defineConfig({
  testDir: '.',
  testMatch: 'screenshots.spec.ts',
  outputDir: '../../reports/screenshots-failed',
  timeout: 60_000,
  workers: 2,
  fullyParallel: true,
  reporter: 'list',
  projects: [
    project('phone-light', { ...PHONE, colorScheme: 'light' }),
    project('phone-dark', { ...PHONE, colorScheme: 'dark' }),
    project('desk-light', { ...DESK, colorScheme: 'light' }),
    project('desk-dark', { ...DESK, colorScheme: 'dark' }),
  ],
});
