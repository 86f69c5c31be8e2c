import { Hono, type Context } from 'hono';
import { virtualNow, type RealClock } from '../../store/clock.ts';
import type { Live } from '../live.ts';
import type { RequestRecord } from '../request-record.ts';
import type { ServiceError } from '../../store/errors.ts';
import { readApiKey } from './api-key.ts';
import type { RunOperation } from '../operations/run-operation.ts';
import { addControlRoutes, type ControlGate } from './control.ts';
import { answerRequest } from './answer-request.ts';
import type { ApiOperation } from './api-operation.ts';
import { createWebhookDocument } from './asyncapi/document.ts';
import { hostedOperations } from './hosted.ts';
import type { OpenHost } from './host.ts';
import { createDocument } from './openapi/document.ts';
import {
  apiHeaders,
  methodNotAllowed,
  notFound,
  respond,
  respondError,
  respondPreflight,
  toHeaders,
  toResponse,
  toRefusal,
  type ResponseHeaders,
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
  const { open } = parts;
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

  const addRoutes = <Caller>(operations: readonly ApiOperation<Caller>[]): void => {
    for (const operation of operations) {
      const { path } = operation;
      const method = operation.method.toUpperCase();
      app.on(method, path, (c) => answerRequest(c, open, operation));
      app.options(path, (c) => respondPreflight(c, method));
      app.all(path, (c) => refuse(c, methodNotAllowed(c), { Allow: method }));
    }
  };
  addRoutes(sessionOperations);
  addRoutes(hostedOperations);
  addControlRoutes(app, parts, nowMs);
  let document: object | undefined;
  app.get('/openapi.json', (c) => {
    document ??= createDocument();
    return respond(c, 200, { ...document, servers: [{ url: new URL(c.req.url).origin }] });
  });
  app.get('/asyncapi.json', (c) => respond(c, 200, createWebhookDocument()));

  app.notFound((c) => refuse(c, notFound(c)));
  app.onError(async (error, c) => {
    parts.onError(error);
    const atMs = await nowMs().catch(() => Date.now());
    return respondError(c, error, atMs, apiHeaders(c.req.path));
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
