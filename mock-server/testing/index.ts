/**
 * Fixtures for test runners, which give each test an account of a mock service, and a variant of the SDK
 * that talks to a service at a given address.
 *
 * @module ofage-mock/testing
 */
export { createTestOfAge, type TestOfAgeOptions } from './create-test-of-age.ts';
export { vitestFixtures, type VitestFixtures, type VitestParts } from './vitest.ts';
export { playwrightFixtures, type PlaywrightFixtures, type PlaywrightParts } from './playwright.ts';
export type { TestAccount } from './test-account.ts';
export type { ServiceAccount } from './vitest.ts';
export type {
  MockServerLike,
  OfAgeTestArgs,
  OfAgeWorkerArgs,
  PageLike,
  PlaywrightAccount,
  RouteLike,
  RunningMock,
  StartedMock,
} from './playwright.ts';
export type {
  OfAge,
  OfAgeConstructor,
  OfAgeOptions,
  VerifyOptions,
  VerifyResult,
} from '../../src/testing.ts';
