import type { Hono } from 'hono';
import type { ServiceClock } from '../control/clock.ts';
import type { Control } from '../control/control.ts';
import type { Live } from '../control/live.ts';
import type { EndpointChangeInput, EndpointInput, TenantInput } from '../control/input-types.ts';
import { keyChange, outcomeInput } from '../control/inputs.ts';
import type { RealClock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import { parseInput } from '../rules/parse-input.ts';
import { SCENARIOS } from '../rules/scenarios.ts';
import { advanceBody, setBody } from './clock-bodies.ts';
import { idOf, type AddControlRoute } from './control-route.ts';
import { addDoctorRoutes } from './doctor.ts';
import { addWebhookControlRoutes } from './control-webhooks.ts';
import { deliveryQuery, eventQuery, parseQuery, respondPage, sessionQuery } from './pages.ts';
import { readJson } from './read-json.ts';
import {
  jsonHeaders,
  notFound,
  respond,
  respondError,
  respondPreflight,
  toRefusal,
  toResponse,
} from './respond.ts';
import { addSteeringRoutes } from './steering.ts';
import { respondStream } from './stream.ts';

/** Says whether a request may reach the control surface. */
export type ControlGate = (request: Request) => boolean;

export interface ControlRouteParts {
  readonly control: Control;
  readonly clock: ServiceClock;
  readonly gate: ControlGate;
  readonly live: Live;
  readonly real: RealClock;
}

/** The mock's own surface: JSON over `/control/v1`, for dashboards, command lines and tests. */
export function addControlRoutes(
  app: Hono,
  { control, clock, gate, live, real }: ControlRouteParts,
  nowMs: () => Promise<number>,
): void {
  const base = '/control/v1';
  const paths = new Map<string, string[]>();

  const on: AddControlRoute = (method, path, handler, maxBodyBytes) => {
    paths.set(path, [...(paths.get(path) ?? []), method]);
    app.on(method, base + path, async (c) => {
      try {
        const body = await readJson(c.req.raw, maxBodyBytes);
        return await handler(c, () => body.json());
      } catch (error) {
        const refusal = asRefusal(error);
        if (!refusal) throw error;
        return respondError(c, refusal, await nowMs());
      }
    });
  };

  app.use(`${base}/*`, async (c, next) => {
    if (gate(c.req.raw)) return next();
    const error = new ServiceError('forbidden', 'The control surface answers this computer only');
    const { status, body } = toRefusal(error, c.req.path, await nowMs());
    // No CORS headers: a page elsewhere must not even read that a mock runs here.
    return toResponse(status, body, jsonHeaders(body));
  });

  on('GET', '/state', async (c) => respond(c, 200, await control.state()));
  on('POST', '/reset', async (c) => respond(c, 200, await control.reset()));
  on('GET', '/scenarios', async (c) => respond(c, 200, { items: SCENARIOS }));

  on('GET', '/clock', async (c) => respond(c, 200, await clock.read()));
  on('POST', '/clock/freeze', async (c) => respond(c, 200, await clock.freeze()));
  on('POST', '/clock/resume', async (c) => respond(c, 200, await clock.resume()));
  on('POST', '/clock/next', async (c) => respond(c, 200, await clock.next()));
  on('POST', '/clock/advance', async (c, body) =>
    respond(c, 200, await clock.advance(parseInput(advanceBody, body()).ms)),
  );
  on('POST', '/clock/set', async (c, body) =>
    respond(c, 200, await clock.set(Date.parse(parseInput(setBody, body()).now))),
  );

  // The control checks its inputs itself, for callers in process too; the assertions here only name them.
  on('GET', '/tenants', async (c) => respond(c, 200, { items: await control.tenants() }));
  on('POST', '/tenants', async (c, body) =>
    respond(c, 201, await control.createTenant(body() as TenantInput)),
  );
  on('GET', '/tenants/:id', async (c) => respond(c, 200, await control.tenant(idOf(c))));
  on('PATCH', '/tenants/:id', async (c, body) =>
    respond(c, 200, await control.updateTenant(idOf(c), body() as TenantInput)),
  );

  on('GET', '/tenants/:id/key-pairs', async (c) =>
    respond(c, 200, { items: await control.keyPairs(idOf(c)) }),
  );
  on('POST', '/tenants/:id/key-pairs', async (c) =>
    respond(c, 201, await control.createKeyPair(idOf(c))),
  );
  on('PATCH', '/keys/:id', async (c, body) =>
    respond(c, 200, await control.setKeyStatus(idOf(c), parseInput(keyChange, body()).status)),
  );
  on('DELETE', '/keys/:id', async (c) =>
    respond(c, 200, await control.setKeyStatus(idOf(c), 'revoked')),
  );

  on('GET', '/tenants/:id/webhook-endpoints', async (c) =>
    respond(c, 200, { items: await control.endpoints(idOf(c)) }),
  );
  on('POST', '/tenants/:id/webhook-endpoints', async (c, body) =>
    respond(c, 201, await control.createEndpoint(idOf(c), body() as EndpointInput)),
  );
  on('GET', '/webhook-endpoints/:id', async (c) =>
    respond(c, 200, await control.endpoint(idOf(c))),
  );
  on('PATCH', '/webhook-endpoints/:id', async (c, body) =>
    respond(c, 200, await control.updateEndpoint(idOf(c), body() as EndpointChangeInput)),
  );
  on('DELETE', '/webhook-endpoints/:id', async (c) => {
    await control.deleteEndpoint(idOf(c));
    return respond(c, 204, null);
  });

  on('GET', '/sessions', async (c) =>
    respondPage(c, parseQuery(c, sessionQuery), (filter) => control.sessions(filter)),
  );
  on('GET', '/sessions/:id', async (c) => respond(c, 200, await control.session(idOf(c))));
  on('POST', '/sessions/:id/outcome', async (c, body) =>
    respond(c, 200, await control.settle(idOf(c), parseInput(outcomeInput, body()).outcome)),
  );
  on('GET', '/events', async (c) =>
    respondPage(c, parseQuery(c, eventQuery), (filter) => control.events(filter), 'oldest first'),
  );
  on('GET', '/deliveries', async (c) =>
    respondPage(
      c,
      parseQuery(c, deliveryQuery),
      (filter) => control.deliveries(filter),
      'oldest first',
    ),
  );
  on('GET', '/stream', async (c) => {
    // Opens the service, whose first account is no news.
    await nowMs();
    return respondStream(c, live, real);
  });
  addSteeringRoutes(on, control);
  addWebhookControlRoutes(on, control);
  addDoctorRoutes(on, control);

  for (const [path, methods] of paths) {
    const allowed = methods.join(', ');
    app.options(base + path, (c) => respondPreflight(c, allowed));
    app.all(base + path, async (c) => {
      const error = new ServiceError('method_not_allowed', notFound(c).message);
      return respondError(c, error, await nowMs(), { Allow: allowed });
    });
  }
}

/** A refusal as the caller should see it; undefined for a fault of ours. */
function asRefusal(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  // The clock refuses to go back, or past the end of time.
  if (error instanceof RangeError) return new ServiceError('invalid_body', error.message);
  return undefined;
}
