import { createControlDriver, type Driver, type KitOptions } from 'ofage-mock/conformance';
import { createMockService, type MockService } from 'ofage-mock';
import { onTestFinished } from 'vitest';
import type { Check } from '../../mock-server/conformance/check.ts';
import { openSetting } from '../../mock-server/conformance/kit.ts';
import { runCheck, type CheckResult } from '../../mock-server/conformance/run-check.ts';
import { fetchOf } from './in-process.ts';
import { createSenderReceiver } from './receivers.ts';

export type Fetch = NonNullable<KitOptions['fetch']>;

/** A service in this process, and the options of a kit with the keys of its first account. */
export interface Implementation {
  readonly service: MockService;
  /** The driver of the mock with all its functions. */
  readonly driver: Required<Driver>;
  readonly options: KitOptions & { readonly fetch: Fetch };
}

export async function anImplementation(): Promise<Implementation> {
  const { sender, receiver } = createSenderReceiver();
  const service = createMockService({ sender });
  onTestFinished(() => service.close());
  return {
    service,
    driver: createControlDriver(service) as Required<Driver>,
    options: {
      apiBase: `${service.apiOrigin}/api/v1`,
      ...(await service.ready),
      fetch: fetchOf(service),
      receiver,
    },
  };
}

/** A run of the kit. */
export interface Run {
  /** Runs a check of a test's own. By default, it does nothing, and any driver can run it. */
  check(change: Partial<Check>): Promise<CheckResult>;
  close(): Promise<void>;
}

/** Opens a run. It is closed at the end of the test, unless the test has closed it. */
export function openRun(options: KitOptions): Run {
  const { setting, close } = openSetting(options);
  let isClosed = false;
  async function closeOnce(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await close();
  }
  onTestFinished(closeOnce);
  return {
    check: (change) =>
      runCheck(setting, {
        id: 'a.check',
        section: 'Errors',
        sentence: 'It works',
        level: 'must',
        kind: 'safe',
        needs: [],
        run: async () => {},
        ...change,
      }),
    close: closeOnce,
  };
}

/** The result of a check of a test's own that has passed. */
export const PASSED = { status: 'passed', failure: null };
