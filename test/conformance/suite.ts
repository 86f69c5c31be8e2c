import { CHECKS, createKit, selectChecks, type Kit, type KitOptions } from 'ofage/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** An implementation for the kit, and a function that stops it. */
export interface ConformanceHost {
  readonly options: KitOptions;
  close(): Promise<void>;
}

/** The checks of the hosted page, which need a browser. */
export const PAGE_CHECKS = selectChecks({ level: 'reading', only: ['page', 'callback'] });
const API_CHECKS = CHECKS.filter((check) => !PAGE_CHECKS.includes(check));

/**
 * Defines one test for each check of the conformance kit, except for those in `cannot`.
 * @param cannot The checks, or the groups of checks, that this host cannot run.
 */
export function conformanceSuite(
  name: string,
  start: () => Promise<ConformanceHost>,
  cannot: readonly string[] = [],
  checks = API_CHECKS,
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
