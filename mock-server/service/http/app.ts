import { Hono, type Context } from 'hono';
import { CONTROL_PATH } from '../../api/control.ts';
import { type RealClock, virtualNow } from '../../store/clock.ts';
import type { ServiceError } from '../../store/errors.ts';
import type { Live } from '../live.ts';
import type { RunOperation } from '../operations/table.ts';
import type { RequestRecord } from '../request-recorder.ts';
import {
  answerRequest,
  type ApiOperation,
  type HttpRoute,
  type OpenHost,
  readApiKey,
} from './api-operation.ts';
import { createWebhookDocument } from './asyncapi.ts';
import { type ControlGate, controlRoutes, refuseControl } from './control.ts';
import { hostedOperations } from './hosted.ts';
import { createDocument } from './openapi.ts';
import {
  apiHeaders,
  methodNotAllowed,
  notFound,
  respond,
  respondError,
  respondPreflight,
  type ResponseHeaders,
  toHeaders,
  toRefusal,
  toResponse,
} from './respond.ts';
import { sessionOperations } from './sessions.ts';

export interface AppParts {
  readonly open: OpenHost;
  readonly run: RunOperation;
  readonly live: Live;
  /** Real time, which the streams' heartbeats use. */
  readonly real: RealClock;
  readonly gate: ControlGate;
  /** Called with internal errors; the caller only sees a 500. */
  readonly onError: (error: unknown) => void;
}

/** Creates the HTTP application, which maps a Request to a Response. */
export function createApp(parts: AppParts): Hono {
  const { open, run, live, real, gate } = parts;
  const app = new Hono();
  const nowMs = async (): Promise<number> => {
    const host = await open();
    return host.store.transact((db) => virtualNow(db, host.clock.now()));
  };

  /**
   * Refuses a request that matches no operation, and records it if its path belongs to the API or the
   * hosted page's API.
   */
  const refuse = async (
    c: Context,
    error: ServiceError,
    headers: ResponseHeaders = {},
  ): Promise<Response> => {
    const { requests, clock } = await open();
    const atMs = await nowMs();
    const { status, body } = toRefusal(error, c.req.path, atMs);
    const isOurs = /^\/(api|hosted)\//.test(c.req.path);
    const all = toHeaders(c, body, { ...apiHeaders(c.req.path), ...headers });
    if (isOurs) {
      requests.record({
        ...UNKNOWN,
        atMs,
        realAtMs: clock.now(),
        ...pickRequest(c),
        status,
        responseHeaders: all,
        response: body,
      });
    }
    return toResponse(status, body, all);
  };

  app.use(`${CONTROL_PATH}/*`, (c, next) => (gate(c.req.raw) ? next() : refuseControl(c, nowMs)));
  const toRoute = <Caller>(operation: ApiOperation<Caller>): HttpRoute => ({
    method: operation.method.toUpperCase(),
    path: operation.path,
    answer: (c) => answerRequest(c, open, operation),
  });
  const methods = new Map<string, string[]>();
  for (const { method, path, answer } of [
    ...sessionOperations.map(toRoute),
    ...hostedOperations.map(toRoute),
    ...controlRoutes({ run, live, real, nowMs }),
  ]) {
    const honoPath = path.replaceAll(/\{(\w+)\}/g, ':$1');
    methods.set(honoPath, [...(methods.get(honoPath) ?? []), method]);
    app.on(method, honoPath, answer);
  }
  for (const [path, known] of methods) {
    const allowed = known.join(', ');
    app.options(path, (c) => respondPreflight(c, allowed));
    app.all(path, (c) => refuse(c, methodNotAllowed(c), { Allow: allowed }));
  }

  let document: object | undefined;
  app.get('/openapi.json', (c) => {
    document ??= createDocument();
    const body = { ...document, servers: [{ url: new URL(c.req.url).origin }] };
    return respond(c, { status: 200, body });
  });
  app.get('/asyncapi.json', (c) => respond(c, { status: 200, body: createWebhookDocument() }));

  app.notFound((c) => refuse(c, notFound(c)));
  app.onError(async (error, c) => {
    parts.onError(error);
    const atMs = await nowMs().catch(() => Date.now());
    return respondError(c, error, { nowMs: atMs, headers: apiHeaders(c.req.path) });
  });
  return app;
}

/** Placeholder fields for a request that matches no operation. Its body is not read. */
const UNKNOWN = {
  durationMs: 0,
  operation: null,
  tenantId: null,
  sessionId: null,
  fault: null,
  requestText: '',
} as const;

function pickRequest(
  c: Context,
): Pick<RequestRecord, 'method' | 'path' | 'credential' | 'requestHeaders'> {
  const { method, path, raw } = c.req;
  const { headers } = raw;
  return {
    method,
    path,
    credential: readApiKey(headers),
    requestHeaders: headers,
  };
}
