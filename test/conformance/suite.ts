import type { KitOptions } from 'ofage-mock/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Check } from '../../mock-server/conformance/check.ts';
import { RUNNABLE_CHECKS } from '../../mock-server/conformance/checks/index.ts';
import { openSetting } from '../../mock-server/conformance/kit.ts';
import { runCheck } from '../../mock-server/conformance/run-check.ts';
import { MOCK_CHECKS } from './mock-checks/index.ts';
import { findTransportChecks } from './transport-checks.ts';

/** An implementation for the kit, and a function that stops it. */
export interface ConformanceHost {
  readonly options: KitOptions;
  close(): Promise<void>;
}

/** The checks of the hosted page, which need a browser. */
export const PAGE_CHECKS = RUNNABLE_CHECKS.filter(({ opensPages }) => opensPages);

/** The checks of the kit and those of the mock alone, without those that need a browser. */
const API_CHECKS = [...RUNNABLE_CHECKS, ...MOCK_CHECKS].filter(({ opensPages }) => !opensPages);

/**
 * The checks of every host except for `fetch`, which runs all of them. With `OFAGE_CHECKS=all`, as in
 * `npm run test:all`, each host runs all of them.
 */
export const HOST_CHECKS =
  process.env.OFAGE_CHECKS === 'all' ? API_CHECKS : findTransportChecks(API_CHECKS);

/** Checks that need a sender which can wait and fail without a network. */
export const NEEDS_SENDER = ['webhooks.retries.attempt-timeout', 'webhooks.pause.failing.dns'];

interface SuiteOptions {
  /** @default all checks except for those of the hosted page */
  readonly checks?: readonly Check[];
  /** The checks, or the groups of checks, that this host cannot run. @default none */
  readonly cannot?: readonly string[];
}

/** Defines one test for each check. */
export function conformanceSuite(
  name: string,
  start: () => Promise<ConformanceHost>,
  { checks = API_CHECKS, cannot = [] }: SuiteOptions = {},
): void {
  describe(name, () => {
    let host: ConformanceHost;
    let kit: ReturnType<typeof openSetting>;
    beforeAll(async () => {
      host = await start();
      kit = openSetting({ ...host.options, strict: true });
    });
    afterAll(async () => {
      await kit?.close();
      await host?.close();
    });

    const isPossible = (id: string): boolean =>
      !cannot.some((one) => id === one || id.startsWith(`${one}.`));
    for (const check of checks.filter(({ id }) => isPossible(id))) {
      it(`${check.id}: ${check.sentence}`, async () => {
        const { status, failure, reason } = await runCheck(kit.setting, check);
        expect({ status, failure, reason }).toEqual({
          status: 'passed',
          failure: null,
          reason: null,
        });
      });
    }
  });
}
