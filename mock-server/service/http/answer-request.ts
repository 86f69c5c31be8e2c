import type { Context } from 'hono';
import { takeApiFault } from '../../rules/faults.ts';
import { type Quota, WINDOW_MS } from '../../rules/keys.ts';
import { type RealClock, sleep } from '../../store/clock.ts';
import type { Db, Moment } from '../../store/db.ts';
import { ServiceError } from '../../store/errors.ts';
import type { ApiFaultRow } from '../../store/tables.ts';
import type { RequestRecord } from '../request-recorder.ts';
import { parseInput } from '../schemas/parse-input.ts';
import type { ApiOperation, Claim, Done, Known } from './api-operation.ts';
import { momentOf, type OpenHost } from './host.ts';
import { type ReadBody, readJson } from './read-json.ts';
import {
  quotaHeaders,
  type ResponseHeaders,
  toHeaders,
  tooManyRequests,
  toRefusal,
  toResponse,
} from './respond.ts';

/**
 * Handles a request to the public API or the hosted page's API. It opens the service, finds the caller,
 * counts the request, injects a fault, checks the body, runs the operation, records the request and
 * responds.
 */
export async function answerRequest<Caller>(
  c: Context,
  open: OpenHost,
  operation: ApiOperation<Caller>,
): Promise<Response> {
  const { access, success } = operation;
  const host = await open();
  const startedAtMs = host.clock.now();
  const credential = access.readCredential(c.req.raw.headers);
  const body = await readJson(c.req.raw);
  const claim = await access.claim(host, credential);
  const { quota, known, fault, nowMs, ...attempt } = await host.store.transact((db) => {
    return runAttempt(operation, claim, { db, body, moment: momentOf(host, db) });
  });
  const answered =
    'error' in attempt
      ? toRefusal(attempt.error, c.req.path, nowMs)
      : { status: success, body: await operation.present(attempt.done, host) };
  await delay(host.clock, fault);
  const isMalformed = fault?.fault === 'malformed';
  const status = isMalformed ? success : answered.status;
  const headers = toHeaders(c, answered.body, quota ? quotaHeaders(quota) : {});
  const record: RequestRecord = {
    atMs: nowMs,
    realAtMs: startedAtMs,
    durationMs: host.clock.now() - startedAtMs,
    method: c.req.method,
    path: c.req.path,
    operation: operation.name,
    credential,
    tenantId: known?.tenantId ?? null,
    sessionId: claim.sessionId ?? ('done' in attempt ? attempt.done.session.id : null),
    status,
    fault: fault?.fault ?? null,
    requestHeaders: c.req.raw.headers,
    requestText: body.text,
    responseHeaders: headers,
    response: isMalformed ? CUT_OFF : answered.body,
  };
  if (!operation.isRoutine || 'error' in attempt || fault) host.requests.record(record);
  if (isMalformed) return respondMalformed(status, headers);
  return toResponse(status, answered.body, headers);
}

/** The state of a request after its transaction. */
type Attempt<Caller> = {
  readonly nowMs: number;
  /** Null if the caller was not authenticated. */
  readonly known: Known<Caller> | null;
  /** Null if requests are not counted. */
  readonly quota: Quota | null;
  readonly fault: ApiFaultRow | null;
} & ({ readonly done: Done<Caller> } | { readonly error: ServiceError });

/**
 * Runs the part of a request that is one transaction. A refusal is returned and not thrown, because its
 * writes (the rate limit's count, an expired session) must be committed.
 */
function runAttempt<Caller>(
  { name, access, body: schema, bodyOf, enter, run }: ApiOperation<Caller>,
  claim: Claim<Caller>,
  { db, body, moment }: { readonly db: Db; readonly body: ReadBody; readonly moment: Moment },
): Attempt<Caller> {
  const { nowMs } = moment;
  const { limit } = access;
  let quota = limit?.untouched ?? null;
  let known: Known<Caller> | null = null;
  let fault: ApiFaultRow | null = null;
  try {
    known = claim.authenticate(db);
    const { caller, tenantId } = known;
    if (limit) quota = limit.count(db, caller, nowMs);
    if (quota?.retryAfterMs != null) throw tooManyRequests();
    if (tenantId !== null) fault = takeApiFault(db, name, tenantId);
    throwFault(fault);
    enter?.(db, caller);
    const checks = bodyOf?.(caller) ?? schema;
    // The cast is safe, because the operation's types tie `run` to the schema of its body.
    const input = (checks && parseInput(checks, body.json())) as never;
    const session = run({ db, caller, input, moment });
    return { done: { session, caller, nowMs }, nowMs, quota, known, fault };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { error, nowMs, quota: quota && toFaultyQuota(fault, quota), known, fault };
  }
}

/**
 * Refuses a call with the injected fault. A refused call has no effect: no session is created or consumed.
 * A slow call runs normally, and its response is delayed.
 * @throws {ServiceError} rate_limited, server_fault, unavailable or malformed
 */
function throwFault(fault: ApiFaultRow | null): void {
  switch (fault?.fault) {
    case '429':
      throw tooManyRequests();
    case '500':
      throw new ServiceError('server_fault', 'Internal server error');
    case '503':
      throw new ServiceError('unavailable', 'Service Unavailable');
    case 'malformed':
      throw new ServiceError('malformed', 'The response is truncated');
    case 'slow':
    case undefined:
  }
}

/** Returns a used-up quota for an injected 429, so that its headers are consistent. */
function toFaultyQuota(fault: ApiFaultRow | null, quota: Quota): Quota {
  return fault?.fault === '429' ? { ...quota, remaining: 0, retryAfterMs: WINDOW_MS } : quota;
}

const CUT_OFF = '{"sessionId":"';

/** Responds with truncated JSON, like a proxy whose server crashed in the middle of a response. */
function respondMalformed(status: number, headers: ResponseHeaders): Response {
  return new Response(CUT_OFF, { status, headers });
}

/**
 * Waits for the delay of a slow response. Uses real time, because the caller measures its timeout in real
 * time.
 */
function delay(clock: RealClock, fault: ApiFaultRow | null): Promise<void> | undefined {
  return fault?.fault === 'slow' ? sleep(clock, fault.delayMs) : undefined;
}
