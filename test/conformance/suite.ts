import { CHECKS, createKit, selectChecks, type Kit, type KitOptions } from 'ofage/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSPORT_CHECKS } from './transport-checks.ts';

/** An implementation for the kit, and a function that stops it. */
export interface ConformanceHost {
  readonly options: KitOptions;
  close(): Promise<void>;
}

/** The checks of the hosted page, which need a browser. */
export const PAGE_CHECKS = selectChecks({ level: 'reading', only: ['page', 'callback'] });
const API_CHECKS = CHECKS.filter((check) => !PAGE_CHECKS.includes(check));

/**
 * The checks of every host except for `fetch`, which runs all of them. With `OFAGE_CHECKS=all`, as in
 * `npm run test:all`, each host runs all of them.
 */
export const HOST_CHECKS = process.env.OFAGE_CHECKS === 'all' ? API_CHECKS : TRANSPORT_CHECKS;

interface SuiteOptions {
  /** @default all checks except for those of the hosted page */
  readonly checks?: typeof CHECKS;
  /** The checks, or the groups of checks, that this host cannot run. @default none */
  readonly cannot?: readonly string[];
}

/** Defines one test for each check of the conformance kit. */
export function conformanceSuite(
  name: string,
  start: () => Promise<ConformanceHost>,
  { checks = API_CHECKS, cannot = [] }: SuiteOptions = {},
): void {
  describe(name, () => {
    let host: ConformanceHost;
    let kit: Kit;
    beforeAll(async () => {
      host = await start();
      kit = createKit({ ...host.options, strict: true });
    });
    afterAll(async () => {
      await kit?.close();
      await host?.close();
    });

    const isPossible = (id: string): boolean =>
      !cannot.some((one) => id === one || id.startsWith(`${one}.`));
    for (const check of checks.filter(({ id }) => isPossible(id))) {
      it(`${check.id}: ${check.sentence}`, async () => {
        const { status, failure, reason } = await kit.run(check);
        expect({ status, failure, reason }).toEqual({
          status: 'passed',
          failure: null,
          reason: null,
        });
      });
    }
  });
}
