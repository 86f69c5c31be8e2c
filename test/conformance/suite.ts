import { CHECKS, createKit, type Kit, type KitOptions } from 'ofage/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** An implementation for the kit, and a function that stops it. */
export interface ConformanceHost {
  readonly options: KitOptions;
  close(): Promise<void>;
}

/**
 * Defines one test for each check of the conformance kit, except for those in `cannot`.
 * @param cannot The checks, or the groups of checks, that this host cannot run.
 */
export function conformanceSuite(
  name: string,
  start: () => Promise<ConformanceHost>,
  cannot: readonly string[] = [],
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
    for (const check of CHECKS.filter(({ id }) => isPossible(id))) {
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
