import { createControlDriver } from '../../mock-server/conformance/index.ts';
import { RUNNABLE_CHECKS } from '../../mock-server/conformance/checks/index.ts';
import { openSetting } from '../../mock-server/conformance/kit.ts';
import { runCheck, type CheckResult } from '../../mock-server/conformance/run-check.ts';
import { createControlClient } from '../../mock-server/client.ts';
import { createMockService } from '../../mock-server/index.ts';
import { breakService, type BrokenService } from './broken-services/index.ts';
import { toKitOptions } from './in-process.ts';
import { createSenderReceiver } from './receivers.ts';

/**
 * Runs the kit against a broken service in this process. Returns the first failure of a check, or undefined
 * if there is none.
 */
export async function findFailure(broken: BrokenService): Promise<CheckResult | undefined> {
  const { sender, receiver } = createSenderReceiver();
  const { service, fetch } = breakService(broken, {
    sender,
    create: (sender) => createMockService({ sender }),
  });
  const send = (url: string, init: RequestInit) => fetch(new Request(url, init));
  // The dashboard of a broken service may be broken, too.
  const control = createControlClient({ baseUrl: service.apiOrigin, fetch: send });
  const driver = createControlDriver({ control, clock: control.clock });
  const { setting, close } = openSetting({
    ...toKitOptions(service, receiver),
    driver: {
      ...driver,
      async settle(session, status) {
        if (status !== 'cancelled') return driver.settle?.(session, status);
        // The hosted page may be broken, too.
        const headers = { authorization: `Bearer ${session.sessionToken}` };
        await send(`${service.apiOrigin}/hosted/v1/cancel`, { method: 'POST', headers });
      },
    },
    fetch: send,
    patienceMs: 300,
  });
  try {
    for (const check of RUNNABLE_CHECKS) {
      const result = await runCheck(setting, check);
      if (result.status === 'failed') return result;
    }
    return undefined;
  } finally {
    await close();
    await service.close();
  }
}
