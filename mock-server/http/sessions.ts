import type { Context, Hono } from 'hono';
import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import type { ApiFaultRow, SessionRow } from '../core/tables.ts';
import { takeApiFault } from '../rules/faults.ts';
import { authenticate, type Caller, type Operation } from '../rules/keys.ts';
import type { Moment } from '../rules/moment.ts';
import { parseInput } from '../rules/parse-input.ts';
import { countRequest, untouchedQuota, type Quota } from '../rules/rate-limits.ts';
import { createSession, validateSession } from '../rules/sessions.ts';
import { readApiKey } from './api-key.ts';
import { momentOf, type OpenHost, type ServiceHost } from './host.ts';
import { toPageUrl } from './hosted-session.ts';
import { CUT_OFF, delay, respondMalformed, throwFault, toFaultyQuota } from './inject-fault.ts';
import { readJson } from './read-json.ts';
import { quotaHeaders, toHeaders, tooManyRequests, toRefusal, toResponse } from './respond.ts';
import { browserCreateBody, createBody, validateBody } from './session-bodies.ts';

/** The two operations of the public API. */
export function addSessionRoutes(app: Hono, open: OpenHost): void {
  app.post('/api/v1/sessions/create', (c) =>
    answer(c, open, {
      operation: 'create',
      run(db, caller, body, moment) {
        const schema = caller.key.kind === 'secret' ? createBody : browserCreateBody;
        return createSession(db, caller, parseInput(schema, body), moment);
      },
      status: 201,
      present: toCreated,
    }),
  );
  app.post('/api/v1/sessions/validate', (c) =>
    answer(c, open, {
      operation: 'validate',
      run: (db, caller, body, moment) =>
        validateSession(db, caller, parseInput(validateBody, body).sessionId, moment),
      status: 200,
      present: toValidation,
    }),
  );
}

interface ApiOperation {
  readonly operation: Operation;
  /** Runs in the request's transaction, after the caller is known and counted. */
  run(db: Db, caller: Caller, body: unknown, moment: Moment): SessionRow;
  readonly status: number;
  present(session: SessionRow, host: ServiceHost, nowMs: number): object | Promise<object>;
}

/**
 * One request, one transaction: who calls, how often, the body, and the work. A refusal is a value in it,
 * not a throw, because what was counted, or found expired, stays so.
 */
async function answer(c: Context, open: OpenHost, api: ApiOperation): Promise<Response> {
  const host = await open();
  const startedAtMs = host.clock.now();
  const value = readApiKey(c.req.raw.headers);
  const body = await readJson(c.req.raw);
  const result = await host.store.transact((db) => {
    const moment = momentOf(host, db);
    const { nowMs } = moment;
    let quota: Quota = untouchedQuota(api.operation);
    let tenantId: string | null = null;
    let fault: ApiFaultRow | null = null;
    try {
      const caller = authenticate(db, value, api.operation);
      tenantId = caller.tenant.id;
      quota = countRequest(db, caller.tenant, api.operation, nowMs);
      if (quota.retryAfterMs !== null) throw tooManyRequests();
      fault = takeApiFault(db, api.operation, tenantId);
      throwFault(fault);
      return { session: api.run(db, caller, body.json(), moment), quota, nowMs, tenantId, fault };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { error, quota: toFaultyQuota(fault, quota), nowMs, tenantId, fault };
    }
  });
  const { nowMs, fault } = result;
  const session = 'session' in result ? result.session : null;
  const answered = session
    ? { status: api.status, body: await api.present(session, host, nowMs) }
    : toRefusal('error' in result && result.error, c.req.path, nowMs);
  await delay(host.clock, fault);
  const isMalformed = fault?.fault === 'malformed';
  const headers = toHeaders(c, answered.body, quotaHeaders(result.quota));
  host.requests.record({
    atMs: nowMs,
    realAtMs: startedAtMs,
    durationMs: host.clock.now() - startedAtMs,
    method: c.req.method,
    path: c.req.path,
    operation: api.operation,
    credential: value,
    tenantId: result.tenantId,
    sessionId: session?.id ?? null,
    status: isMalformed ? api.status : answered.status,
    fault: fault?.fault ?? null,
    requestHeaders: c.req.raw.headers,
    requestText: body.text,
    responseHeaders: headers,
    response: isMalformed ? CUT_OFF : answered.body,
  });
  if (isMalformed) return respondMalformed(api.status, headers);
  return toResponse(answered.status, answered.body, headers);
}

async function toCreated(session: SessionRow, host: ServiceHost): Promise<object> {
  const { id: sessionId, billingBlock } = session;
  const { sessionToken, handoffToken } = await host.tokens.sign(sessionId);
  return {
    sessionId,
    sessionToken,
    verifyUrl: toPageUrl(host.verifyUrl, sessionId, 'sessionToken', sessionToken),
    expiresAt: toIso(session.expiresAtMs),
    testMode: false,
    sandboxMode: session.sandboxMode,
    externalUserId: session.externalUserId,
    faceMatchEnabled: session.faceMatchEnabled,
    handoffToken,
    ...(billingBlock && { billingBlock }),
  };
}

function toValidation(session: SessionRow, _host: ServiceHost, nowMs: number): object {
  const isVerified = session.status === 'VERIFIED';
  return {
    sessionId: session.id,
    merchantId: session.tenantId,
    verified: isVerified,
    accessGranted: isVerified,
    status: session.status.toLowerCase(),
    verificationMode: session.verificationMode,
    challengeAge: session.challengeAge,
    faceMatchEnabled: session.faceMatchEnabled,
    externalUserId: session.externalUserId,
    testMode: false,
    // Always a string, so for a pending session the time of this answer.
    timestamp: toIso(session.settledAtMs ?? nowMs),
    expiresAt: toIso(session.expiresAtMs),
  };
}

function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}
