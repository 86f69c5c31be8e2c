/**
 * A second implementation of the API, written from the interface specification alone: state.ts has the
 * records, http.ts and sessions.ts the API, and dashboard.ts the driver of the conformance kit. It shares no
 * code with the mock, so a check that passes here too describes the specification and not the mock. It sends
 * no webhooks.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createDashboard } from './second-service/dashboard.ts';
import { createApi } from './second-service/http.ts';
import { startSession, validateSession } from './second-service/sessions.ts';
import { createService, type SecondServiceOptions } from './second-service/state.ts';

/** Starts the service on a free port of 127.0.0.1. */
export async function startSecondService(options: SecondServiceOptions) {
  const service = createService(options);
  const api = createApi(service, {
    'POST /api/v1/sessions/create': { limit: 'create', status: 201, run: startSession },
    'POST /api/v1/sessions/validate': { limit: 'validate', status: 200, run: validateSession },
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const { port } = api.address() as AddressInfo;
  return {
    apiBase: `http://127.0.0.1:${port}/api/v1`,
    driver: createDashboard(service),
    async close(): Promise<void> {
      api.closeAllConnections();
      api.close();
      await once(api, 'close');
    },
  };
}
