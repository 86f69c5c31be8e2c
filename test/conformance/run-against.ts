import { createControlDriver } from '../../mock-server/conformance/index.ts';
import { findCheck } from '../../mock-server/conformance/checks/index.ts';
import { openSetting } from '../../mock-server/conformance/kit.ts';
import { runCheck, type CheckResult } from '../../mock-server/conformance/run-check.ts';
import { createControlClient } from '../../mock-server/client.ts';
import { createMockService } from '../../mock-server/index.ts';
import { breakService, type BrokenService } from './broken-services/index.ts';
import { toKitOptions } from './in-process.ts';
import { createSenderReceiver } from './receivers.ts';

/** Runs checks against a broken service in this process. Returns the status of each, by its id. */
export async function runAgainst(
  broken: BrokenService,
  ids: readonly string[],
): Promise<Record<string, CheckResult['status']>> {
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
    // The sender delivers within the move of the clock, so nothing has to be waited for.
    patienceMs: 1,
  });
  try {
    const statuses: Record<string, CheckResult['status']> = {};
    for (const id of ids) statuses[id] = (await runCheck(setting, findCheck(id))).status;
    return statuses;
  } finally {
    await close();
    await service.close();
  }
}
