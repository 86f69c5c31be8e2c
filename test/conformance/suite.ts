import { CHECKS, createKit, type Kit, type KitOptions } from 'ofage/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** An implementation for the kit, and a function that stops it. */
export interface ConformanceHost {
  readonly options: KitOptions;
  close(): Promise<void>;
}

/** Defines one test for each check of the conformance kit, which are the same for every host. */
export function conformanceSuite(name: string, start: () => Promise<ConformanceHost>): void {
  describe(name, () => {
    let host: ConformanceHost;
    let kit: Kit;
    beforeAll(async () => {
      host = await start();
      kit = createKit({ ...host.options, strict: true });
    });
    afterAll(async () => {
      await kit.close();
      await host.close();
    });

    for (const check of CHECKS) {
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
