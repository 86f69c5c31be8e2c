import type { Context, Hono } from 'hono';
import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import type { ApiFaultRow, SessionRow } from '../core/tables.ts';
import { arriveAt, continueOn, leaveFrom, type Visit } from '../rules/devices.ts';
import { takeApiFault } from '../rules/faults.ts';
import type { Moment } from '../rules/moment.ts';
import { parseInput } from '../rules/parse-input.ts';
import { getSession, settleSession } from '../rules/session-life.ts';
import { chooseOutcome, retrySession, submitImage } from '../rules/submissions.ts';
import { readBearer } from './api-key.ts';
import { momentOf, type OpenHost } from './host.ts';
import { emptyBody, outcomeBody, submitBody } from './hosted-bodies.ts';
import { toHostedSession } from './hosted-session.ts';
import { CUT_OFF, delay, respondMalformed, throwFault } from './inject-fault.ts';
import { readJson } from './read-json.ts';
import { toHeaders, toRefusal, toResponse } from './respond.ts';

/** What the hosted page asks for and does, on behalf of whoever holds one of the session's tokens. */
export function addHostedRoutes(app: Hono, open: OpenHost): void {
  const on = (method: 'GET' | 'POST', action: HostedAction, run: HostedRun): void => {
    app.on(method, `/hosted/v1/${action}`, (c) => answer(c, open, action, run));
  };
  on('GET', 'session', (db, { sessionId }, moment) => getSession(db, sessionId, moment));
  on('POST', 'heartbeat', (db, { sessionId }, moment, body) => {
    parseInput(emptyBody, body);
    return getSession(db, sessionId, moment);
  });
  on('POST', 'continue', (db, visit, moment, body) => {
    parseInput(emptyBody, body);
    return continueOn(db, visit, moment);
  });
  on('POST', 'submit', (db, visit, moment, body) => {
    const { imageQuality } = parseInput(submitBody, body);
    return submitImage(db, visit, imageQuality ?? 'good', moment);
  });
  on('POST', 'retry', (db, visit, moment, body) => {
    parseInput(emptyBody, body);
    return retrySession(db, visit, moment);
  });
  on('POST', 'outcome', (db, visit, moment, body) =>
    chooseOutcome(db, visit, parseInput(outcomeBody, body).outcome, moment),
  );
  on('POST', 'cancel', (db, { sessionId }, moment, body) => {
    parseInput(emptyBody, body);
    return settleSession(db, sessionId, 'cancelled', moment);
  });
  on('POST', 'leave', (db, visit, moment, body) => {
    parseInput(emptyBody, body);
    return leaveFrom(db, visit, moment);
  });
}

type HostedAction =
  'session' | 'heartbeat' | 'continue' | 'submit' | 'retry' | 'outcome' | 'cancel' | 'leave';

type HostedRun = (db: Db, visit: Visit, moment: Moment, body: unknown) => SessionRow;

/** One request, one transaction, in which a refusal is a value: what was found expired stays so. */
async function answer(
  c: Context,
  open: OpenHost,
  action: HostedAction,
  run: HostedRun,
): Promise<Response> {
  const host = await open();
  const startedAtMs = host.clock.now();
  const token = readBearer(c.req.raw.headers);
  const body = await readJson(c.req.raw);
  const holder = await host.tokens.verify(token ?? '');
  const result = await host.store.transact((db) => {
    const moment = momentOf(host, db);
    const { nowMs } = moment;
    let fault: ApiFaultRow | null = null;
    const tenantId = (holder && db.get('sessions', holder.sessionId)?.tenantId) ?? null;
    try {
      if (!holder) throw new ServiceError('token_invalid', 'Invalid session token');
      fault = tenantId === null ? null : takeApiFault(db, 'hosted', tenantId);
      throwFault(fault);
      // Whatever the page asks, it is there: a reload is no farewell.
      if (action !== 'leave') arriveAt(db, holder);
      const session = run(db, holder, moment, body.json());
      // The account's own name stands in for the one that the session was not given.
      const merchantName =
        session.merchantName ?? db.get('tenants', session.tenantId)?.name ?? null;
      return { session: { ...session, merchantName }, holder, nowMs, tenantId, fault };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { error, nowMs, tenantId, fault };
    }
  });
  const { nowMs, tenantId, fault } = result;
  const status = action === 'leave' ? 202 : 200;
  const answered =
    'error' in result
      ? toRefusal(result.error, c.req.path, nowMs)
      : { status, body: toHostedSession(result.session, result.holder, host.verifyUrl, nowMs) };
  await delay(host.clock, fault);
  const isMalformed = fault?.fault === 'malformed';
  const headers = toHeaders(c, answered.body);
  host.requests.record({
    atMs: nowMs,
    realAtMs: startedAtMs,
    durationMs: host.clock.now() - startedAtMs,
    method: c.req.method,
    path: c.req.path,
    operation: 'hosted',
    credential: token,
    tenantId,
    sessionId: holder?.sessionId ?? null,
    status: isMalformed ? status : answered.status,
    fault: fault?.fault ?? null,
    requestHeaders: c.req.raw.headers,
    requestText: body.text,
    responseHeaders: headers,
    response: isMalformed ? CUT_OFF : answered.body,
  });
  if (isMalformed) return respondMalformed(status, headers);
  return toResponse(answered.status, answered.body, headers);
}
