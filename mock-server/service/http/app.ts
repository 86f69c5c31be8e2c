import { Hono, type Context } from 'hono';
import { CONTROL_PATH } from '../../api/control.ts';
import { findTenantIdOfKey } from '../../rules/keys.ts';
import { type RealClock, virtualNow } from '../../store/clock.ts';
import { ServiceError } from '../../store/errors.ts';
import type { Live } from '../live.ts';
import type { RunOperation } from '../operations/table.ts';
import {
  answerRequest,
  type ApiOperation,
  type HttpRoute,
  type OpenHost,
  readApiKey,
} from './api-operation.ts';
import { createWebhookDocument } from './asyncapi.ts';
import { controlRoutes, refuseControl } from './control.ts';
import { hostedOperations } from './hosted.ts';
import type { ControlGuard } from './local-guard.ts';
import { createDocument } from './openapi.ts';
import { reportRoute } from './reports.ts';
import {
  apiHeaders,
  respond,
  respondPreflight,
  type ResponseHeaders,
  toHeaders,
  toRefusal,
  toResponse,
} from './respond.ts';
import { apiOperations } from './sessions.ts';

export interface AppParts {
  readonly open: OpenHost;
  readonly run: RunOperation;
  readonly live: Live;
  /** Real time, which the streams' heartbeats use. */
  readonly real: RealClock;
  readonly guard: ControlGuard;
  /** Called with internal errors; the caller only sees a 500. */
  readonly onError: (error: unknown) => void;
}

/** Creates the HTTP application, which maps a Request to a Response. */
export function createApp(parts: AppParts): Hono {
  const { open, run, live, real, guard } = parts;
  const app = new Hono();
  const nowMs = async (): Promise<number> => {
    const host = await open();
    return host.store.transact((db) => virtualNow(db, host.clock.now()));
  };

  /**
   * Refuses a request that matches no operation, and records it without its body if its path belongs to the
   * API or the hosted page's API.
   */
  const refuse = async (
    c: Context,
    code: 'not_found' | 'method_not_allowed',
    headers: ResponseHeaders = {},
  ): Promise<Response> => {
    const { store, requests, clock } = await open();
    const { method, path, raw } = c.req;
    const credential = readApiKey(raw.headers);
    const { atMs, tenantId } = await store.transact((db) => ({
      atMs: virtualNow(db, clock.now()),
      tenantId: findTenantIdOfKey(db, credential),
    }));
    const { status, body } = toRefusal(
      new ServiceError(code, `Cannot ${method} ${path}`),
      path,
      atMs,
    );
    const responseHeaders = toHeaders(c, body, { ...apiHeaders(path), ...headers });
    if (/^\/(api|hosted)\//.test(path)) {
      requests.record({
        atMs,
        realAtMs: clock.now(),
        durationMs: 0,
        method,
        path,
        operation: null,
        credential,
        tenantId,
        sessionId: null,
        isFromTool: false,
        status,
        fault: null,
        requestHeaders: raw.headers,
        requestText: '',
        responseHeaders,
        response: body,
      });
    }
    return toResponse(status, body, responseHeaders);
  };

  app.use(`${CONTROL_PATH}/*`, (c, next) => (guard(c.req.raw) ? next() : refuseControl(c, nowMs)));
  const toRoute = <Caller>(operation: ApiOperation<Caller>): HttpRoute => ({
    method: operation.method.toUpperCase(),
    path: operation.path,
    answer: (c) => answerRequest(c, open, operation),
  });
  const methods = new Map<string, string[]>();
  for (const { method, path, answer } of [
    ...apiOperations.map(toRoute),
    ...hostedOperations.map(toRoute),
    ...controlRoutes({ run, live, real, nowMs }),
    reportRoute(open),
  ]) {
    const honoPath = path.replaceAll(/\{(\w+)\}/g, ':$1');
    methods.set(honoPath, [...(methods.get(honoPath) ?? []), method]);
    app.on(method, honoPath, answer);
  }
  for (const [path, known] of methods) {
    const allowed = known.join(', ');
    app.options(path, (c) => respondPreflight(c, allowed));
    app.all(path, (c) => refuse(c, 'method_not_allowed', { Allow: allowed }));
  }

  let document: object | undefined;
  app.get('/openapi.json', (c) => {
    document ??= createDocument();
    const body = { ...document, servers: [{ url: new URL(c.req.url).origin }] };
    return respond(c, { status: 200, body });
  });
  app.get('/asyncapi.json', (c) => respond(c, { status: 200, body: createWebhookDocument() }));

  app.notFound((c) => refuse(c, 'not_found'));
  app.onError(async (error, c) => {
    parts.onError(error);
    const atMs = await nowMs().catch(() => Date.now());
    return respond(c, { ...toRefusal(error, c.req.path, atMs), headers: apiHeaders(c.req.path) });
  });
  return app;
}
