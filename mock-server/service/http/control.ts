import type { Context, Hono } from 'hono';
import type { Live } from '../live.ts';
import { CONTROL_PATH, namesIn, STREAM_PATH } from '../../api/route.ts';
import type { RealClock } from '../../store/clock.ts';
import { isRefusal, ServiceError } from '../../store/errors.ts';
import type { RunOperation } from '../operations/run-operation.ts';
import { OPERATIONS, type RoutedOperation } from '../operations/table.ts';
import { readPage } from './pages.ts';
import { readJson } from './read-json.ts';
import { readQuery } from './read-query.ts';
import {
  jsonHeaders,
  notFound,
  respond,
  respondError,
  respondPreflight,
  toRefusal,
  toResponse,
} from './respond.ts';
import { respondStream } from './stream.ts';

/** Tells whether a request may reach the control API. */
export type ControlGate = (request: Request) => boolean;

export interface ControlRouteParts {
  readonly run: RunOperation;
  readonly gate: ControlGate;
  readonly live: Live;
  readonly real: RealClock;
}

/**
 * Adds the routes of the control API: JSON under `/control/v1`, for dashboards, command lines and tests.
 */
export function addControlRoutes(
  app: Hono,
  { run, gate, live, real }: ControlRouteParts,
  nowMs: () => Promise<number>,
): void {
  app.use(`${CONTROL_PATH}/*`, async (c, next) => {
    if (gate(c.req.raw)) return next();
    const error = new ServiceError(
      'forbidden',
      'The control API accepts requests from this computer only',
    );
    const { status, body } = toRefusal(error, c.req.path, await nowMs());
    // Sends no CORS headers, so that pages of other sites cannot detect the mock.
    return toResponse(status, body, jsonHeaders(body));
  });

  const methods = new Map<string, string[]>();
  const on = (method: string, path: string, answer: (c: Context) => Promise<Response>): void => {
    methods.set(path, [...(methods.get(path) ?? []), method]);
    app.on(method, toHonoPath(path), answer);
  };
  for (const operation of OPERATIONS) {
    const { method, path } = operation.route;
    on(method, path, (c) => answerOperation(c, operation, run, nowMs));
  }
  on('GET', STREAM_PATH, async (c) => {
    // Opens the service now, so that creating its first account is not reported as a change.
    await nowMs();
    return respondStream(c, live, real);
  });

  for (const [path, known] of methods) {
    const allowed = known.join(', ');
    app.options(toHonoPath(path), (c) => respondPreflight(c, allowed));
    app.all(toHonoPath(path), async (c) => {
      const error = new ServiceError('method_not_allowed', notFound(c).message);
      return respondError(c, error, await nowMs(), { Allow: allowed });
    });
  }
}

/** Converts `/tenants/{id}` to Hono's `/control/v1/tenants/:id`. */
function toHonoPath(path: string): string {
  return CONTROL_PATH + path.replaceAll(/\{(\w+)\}/g, ':$1');
}

async function answerOperation(
  c: Context,
  operation: RoutedOperation,
  run: RunOperation,
  nowMs: () => Promise<number>,
): Promise<Response> {
  const { route, status = 200 } = operation;
  const ids = namesIn(route.path).map((name) => c.req.param(name) ?? '');
  const runWith = (input: unknown): Promise<unknown> => run(operation, ids, input);
  try {
    const input = await readInput(c, operation);
    if (route.items === 'page') return respond(c, 200, await readPage(operation, input, runWith));
    const result = await runWith(input);
    if (operation.response === null) return respond(c, 204, null);
    return respond(c, status, route.items ? { items: result } : (result as object));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return respondError(c, error, await nowMs());
  }
}

/** Returns the unchecked input of an operation, from the query or from the body. */
async function readInput(
  c: Context,
  { route, input, uncheckedBody, maxBodyBytes }: RoutedOperation,
): Promise<unknown> {
  if (route.method === 'GET') return readQuery(input, c.req.query());
  const body = await readJson(c.req.raw, maxBodyBytes);
  return input || uncheckedBody ? body.json() : {};
}
