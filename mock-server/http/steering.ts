import type { FaultInput, Steering } from '../control/steering.ts';
import { nextOutcomesInput } from '../control/steering-inputs.ts';
import { parseInput } from '../rules/parse-input.ts';
import { idOf, type AddControlRoute } from './control-route.ts';
import { parseQuery, requestQuery, respondPage } from './pages.ts';
import { respond } from './respond.ts';

/** A run of a hundred thousand sessions still fits. */
const MAX_SNAPSHOT_BYTES = 268_435_456;

/** Routes that make the service answer as a test needs it, and tell what it was asked. */
export function addSteeringRoutes(on: AddControlRoute, control: Steering): void {
  on('GET', '/tenants/:id/next-outcomes', async (c) =>
    respond(c, 200, { items: await control.nextOutcomes(idOf(c)) }),
  );
  on('POST', '/tenants/:id/next-outcomes', async (c, body) => {
    const { outcomes } = parseInput(nextOutcomesInput, body());
    return respond(c, 201, { items: await control.queueNextOutcomes(idOf(c), outcomes) });
  });
  on('DELETE', '/tenants/:id/next-outcomes', async (c) => {
    await control.clearNextOutcomes(idOf(c));
    return respond(c, 204, null);
  });

  on('GET', '/faults', async (c) => respond(c, 200, { items: await control.faults() }));
  on('POST', '/faults', async (c, body) =>
    respond(c, 201, await control.addFault(body() as FaultInput)),
  );
  on('DELETE', '/faults', async (c) => {
    await control.clearFaults();
    return respond(c, 204, null);
  });
  on('DELETE', '/faults/:id', async (c) => {
    await control.deleteFault(idOf(c));
    return respond(c, 204, null);
  });

  on('GET', '/requests', async (c) =>
    respondPage(c, parseQuery(c, requestQuery), (filter) => control.requests(filter)),
  );

  on('GET', '/snapshot', async (c) => respond(c, 200, await control.snapshot()));
  on(
    'PUT',
    '/snapshot',
    async (c, body) => {
      await control.loadSnapshot(body());
      return respond(c, 204, null);
    },
    MAX_SNAPSHOT_BYTES,
  );
}
