import type { Context } from 'hono';
import type * as v from 'valibot';
import { CONSOLE_HEADER } from '../../api/brand.ts';
import { takeApiFault } from '../../rules/faults.ts';
import { type Quota, WINDOW_MS } from '../../rules/keys.ts';
import { momentOf, type RealClock, sleep } from '../../store/clock.ts';
import type { Closing } from '../../store/closing.ts';
import type { Db, Moment } from '../../store/db.ts';
import { ServiceError } from '../../store/errors.ts';
import type { Random } from '../../store/random.ts';
import type { ApiFaultRow, SessionRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { IdOf, InputSchema } from '../operations/operation.ts';
import type { RequestRecord, RequestRecorder } from '../request-recorder.ts';
import { parseInput } from '../schemas/parse-input.ts';
import { type ReadBody, readJson } from './read-json.ts';
import { quotaHeaders, toHeaders, tooManyRequests, toRefusal, toResponse } from './respond.ts';
import type { TokenSigner } from './session-tokens.ts';

/** A route of the HTTP application. */
export interface HttpRoute {
  readonly method: string;
  /** The path, with `{id}` for a parameter. */
  readonly path: string;
  answer(c: Context): Promise<Response>;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** An operation over HTTP, as its route and the OpenAPI document need it. Tests send its example. */
export interface DescribedOperation {
  readonly method: Method;
  /** The path, with OpenAPI's `{id}` for a parameter. */
  readonly path: string;
  readonly summary: string;
  /** The credential that the operation requires. With `loopback`, it requires none. */
  readonly security: 'apiKey' | 'secretKey' | 'sessionToken' | 'loopback';
  /** The resource that `{id}` identifies. */
  readonly idOf?: IdOf;
  readonly body?: v.GenericSchema;
  /** Further checks of the service, as keywords of JSON Schema. */
  readonly bodyRules?: object;
  /** A valid body. Texts in angle brackets are placeholders for values that only the caller knows. */
  readonly example?: object;
  readonly query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  readonly success: number;
  /** The schema of the response. Null if it has no body, and a media type if it is not JSON. */
  readonly response: v.GenericSchema | string | null;
  /** The operation's own error statuses. Those of every operation are added. */
  readonly refusals: readonly number[];
}

/**
 * One operation of the public API or of the hosted page's API, with its description and its implementation.
 */
export interface ApiOperation<Caller = unknown> extends DescribedOperation {
  /** The operation's name in faults and in the request log. */
  readonly name: ApiFaultRow['operation'];
  readonly access: Access<Caller>;
  readonly body?: InputSchema;
  /**
   * True if the log of requests leaves out successful calls, because a page repeats them all the time.
   * @default false
   */
  readonly isRoutine?: boolean;
  /** Returns the schema of the body, if it depends on the caller. @default `body` */
  bodyOf?(caller: Caller): InputSchema;
  /**
   * Records what the call says even if its body is invalid, such as that a hosted page is open. Runs before
   * the body is checked, once the caller is known and counted and no fault has refused the call.
   */
  beforeBody?(db: Db, caller: Caller): void;
  /** Runs the operation in the request's transaction, after all checks. */
  run(call: OperationCall<Caller, never>): SessionRow;
  /** Builds the body of the response. */
  present(done: Done<Caller>, host: ServiceHost): object | Promise<object>;
}

/** The call of an operation, in its transaction. */
export interface OperationCall<Caller, Input> {
  readonly db: Db;
  readonly caller: Caller;
  /** The checked body. */
  readonly input: Input;
  /** True if the console itself sent the request. */
  readonly isFromTool: boolean;
  readonly moment: Moment;
  /** The request's header `Origin`. Null if it has none, as under MSW or from a server. */
  readonly origin: string | null;
}

/** Authentication and rate limiting of the public API or of the hosted page's API. */
export interface Access<Caller> {
  /** Returns the key or token exactly as the request sent it. */
  readCredential(headers: Headers): string | null;
  /**
   * Checks the credential outside the transaction, because some checks, such as a signature, are
   * asynchronous.
   */
  checkCredential(
    host: ServiceHost,
    sender: RequestSender,
  ): CheckedCredential<Caller> | Promise<CheckedCredential<Caller>>;
  /** The rate limit of the caller's account. @default none */
  readonly limit?: Limit<Caller>;
}

/** What a request says about its sender. */
export interface RequestSender {
  /** The key or token exactly as sent. */
  readonly credential: string | null;
  /** The origin of the page that sent the request. Null if a program sent it, or if it is not known. */
  readonly origin: string | null;
}

/** What a credential allows. It may be invalid. */
export interface CheckedCredential<Caller> {
  /** The session that the credential is for, or null if it is invalid or not for a single session. */
  readonly sessionId: string | null;
  /** Returns the account of the credential, even if it may not call the operation. Null if it is unknown. */
  findTenantId(db: Db): string | null;
  /** @throws {ServiceError} if the caller is not allowed to call the operation */
  authenticate(db: Db): Caller;
}

export interface Limit<Caller> {
  /** The full quota, for a request that is not counted or whose caller is unknown. */
  readonly untouched: Quota;
  count(db: Db, caller: Caller, nowMs: number): Quota;
}

/** The result of a successful operation. */
export interface Done<Caller> {
  readonly session: SessionRow;
  readonly caller: Caller;
  readonly nowMs: number;
}

/** The parts of the service that the operations use. */
export interface ServiceHost {
  readonly store: Store;
  readonly clock: RealClock;
  readonly random: Random;
  readonly tokens: TokenSigner;
  readonly requests: RequestRecorder;
  readonly closing: Closing;
  /** The hosted page's address, to which a session's id and token are appended. */
  readonly verifyUrl: string;
  /** The origins at which the hosted page is served. */
  readonly pageOrigins: readonly string[];
}

/** Opens the service at the first call. Later calls return the same service. */
export type OpenHost = () => Promise<ServiceHost>;

/** Defines an operation whose `run` receives the output of its body's schema. */
export function apiOperation<Caller, const S extends InputSchema>(
  operation: Omit<ApiOperation<Caller>, 'body' | 'bodyOf' | 'run'> & {
    readonly body?: S;
    bodyOf?(caller: Caller): InputSchema & v.GenericSchema<unknown, v.InferOutput<S>>;
    run(call: OperationCall<Caller, v.InferOutput<S>>): SessionRow;
  },
): ApiOperation<Caller> {
  return operation;
}

/** Returns the request's key from a Bearer token or from `x-api-key`, or null if it has none. */
export function readApiKey(headers: Headers): string | null {
  return readBearer(headers) ?? (headers.get('x-api-key')?.trim() || null);
}

/** Returns the token of an `Authorization: Bearer` header, or null if there is none. */
export function readBearer(headers: Headers): string | null {
  // The scheme's name is case-insensitive: RFC 9110, 11.1.
  return /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}

/**
 * Handles a request to the public API or the hosted page's API: checks its credential, runs the operation in
 * a transaction, builds the answer, delays it if a fault says so, records the request and responds.
 */
export async function answerRequest<Caller>(
  c: Context,
  open: OpenHost,
  operation: ApiOperation<Caller>,
): Promise<Response> {
  const host = await open();
  const startedAtMs = host.clock.now();
  const requestHeaders = c.req.raw.headers;
  const credential = operation.access.readCredential(requestHeaders);
  const origin = requestHeaders.get('origin');
  const requestBody = await readJson(c.req.raw);
  const checked = await operation.access.checkCredential(host, { credential, origin });
  const isFromTool = isFromConsole(c.req.raw);
  const result = await host.store.transact((db) => {
    const context = { db, origin, isFromTool, moment: momentOf(host, db) };
    return runInTransaction(operation, checked, { ...context, body: requestBody });
  });
  const { status, body } = await toAnswer(operation, result, c.req.path, host);
  await delay(host, result.fault);
  const headers = toHeaders(c, body, result.quota ? quotaHeaders(result.quota) : {});
  const record: RequestRecord = {
    atMs: result.nowMs,
    realAtMs: startedAtMs,
    // The computer's clock may have been set back.
    durationMs: Math.max(0, host.clock.now() - startedAtMs),
    method: c.req.method,
    path: c.req.path,
    operation: operation.name,
    credential,
    tenantId: result.tenantId,
    sessionId: checked.sessionId ?? result.sessionId,
    isFromTool,
    status,
    fault: result.fault?.fault ?? null,
    requestHeaders,
    requestText: requestBody.text,
    responseHeaders: headers,
    response: body,
  };
  if (!operation.isRoutine || result.kind === 'refused' || result.fault)
    host.requests.record(record);
  return toResponse(status, body, headers);
}

/** Returns the status and the body of the response. A body that is a text is sent as it is. */
async function toAnswer<Caller>(
  { success, present }: ApiOperation<Caller>,
  result: CallResult<Caller>,
  path: string,
  host: ServiceHost,
): Promise<{ readonly status: number; readonly body: object | string }> {
  if (result.fault?.fault === 'malformed') return { status: success, body: CUT_OFF };
  if (result.kind === 'refused') return toRefusal(result.error, path, result.nowMs);
  return { status: success, body: await present(result.done, host) };
}

/**
 * Tells whether the console itself sent a request, which it marks with a header. The mark counts only on a
 * page of the mock: the browser names another page's origin, so that no page can hide its own mistakes. In
 * the static playground, the page calls the service directly, without the headers of a browser.
 */
function isFromConsole({ url, headers }: Request): boolean {
  if (!headers.has(CONSOLE_HEADER)) return false;
  const origin = headers.get('origin');
  return origin === null ? !headers.has('sec-fetch-site') : origin === new URL(url).origin;
}

/** What a call has led to in its transaction. */
type CallResult<Caller> = {
  readonly nowMs: number;
  readonly tenantId: string | null;
  /** The session of a successful call, or the one of its account that a refused call named. */
  readonly sessionId: string | null;
  /**
   * - Null if the operation has no rate limit.
   * - The full quota of a new account if the caller is unknown or not allowed to call.
   * - Otherwise what is left after this call, with `retryAfterMs` if it is over the limit.
   * - After an injected 429: nothing is left.
   */
  readonly quota: Quota | null;
  readonly fault: ApiFaultRow | null;
} & (
  | { readonly kind: 'done'; readonly done: Done<Caller> }
  | { readonly kind: 'refused'; readonly error: ServiceError }
);

/**
 * Runs the part of a request that is one transaction: finds the caller, counts the call, injects a fault,
 * checks the body and runs the operation. A refusal is returned and not thrown, because its writes (the rate
 * limit's count, an expired session) must be committed.
 */
function runInTransaction<Caller>(
  { name, access, body: schema, bodyOf, beforeBody, run }: ApiOperation<Caller>,
  checked: CheckedCredential<Caller>,
  {
    body,
    ...context
  }: Omit<OperationCall<Caller, never>, 'caller' | 'input'> & { readonly body: ReadBody },
): CallResult<Caller> {
  const { db, moment } = context;
  const { nowMs } = moment;
  const tenantId = checked.findTenantId(db);
  let quota = access.limit?.untouched ?? null;
  let fault: ApiFaultRow | null = null;
  try {
    const caller = checked.authenticate(db);
    if (access.limit) {
      quota = access.limit.count(db, caller, nowMs);
      const isOverLimit = quota.retryAfterMs !== null;
      if (isOverLimit) throw tooManyRequests();
    }
    // The call uses the fault up, even if its body is invalid.
    if (tenantId !== null) fault = takeApiFault(db, name, tenantId);
    throwFault(fault);
    beforeBody?.(db, caller);
    const checks = bodyOf?.(caller) ?? schema;
    // The cast is safe, because the operation's types tie `run` to the schema of its body.
    const input = (checks && parseInput(checks, body.json())) as never;
    const session = run({ ...context, caller, input });
    const done = { session, caller, nowMs };
    return { kind: 'done', done, nowMs, tenantId, sessionId: session.id, quota, fault };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (quota && fault?.fault === '429') quota = toUsedUp(quota);
    const sessionId = findNamedSession(db, tenantId, body);
    return { kind: 'refused', error, nowMs, tenantId, sessionId, quota, fault };
  }
}

/** Returns the id of the account's session that the body of a refused call names, or null. */
function findNamedSession(db: Db, tenantId: string | null, body: ReadBody): string | null {
  const id = readSessionId(body);
  const session = id === null ? undefined : db.get('sessions', id);
  const isOfAccount = session !== undefined && session.tenantId === tenantId;
  return isOfAccount ? session.id : null;
}

function readSessionId(body: ReadBody): string | null {
  try {
    const { sessionId }: { readonly sessionId?: unknown } = Object(body.json());
    return typeof sessionId === 'string' ? sessionId : null;
  } catch {
    // The refusal says what is wrong with the body.
    return null;
  }
}

/**
 * Refuses a call with the injected fault. A refused call has no effect: no session is created or consumed.
 * The response of a malformed one is cut off. A slow call runs normally, and its response is delayed.
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

/** Returns the quota of an injected 429, so that its headers are consistent. */
function toUsedUp(quota: Quota): Quota {
  return { ...quota, remaining: 0, retryAfterMs: WINDOW_MS };
}

/** Truncated JSON, as from a proxy whose server crashed in the middle of a response. */
const CUT_OFF = '{"sessionId":"';

/**
 * Waits for the delay of a slow response. Uses real time, because the caller measures its timeout in real
 * time. The delay ends early when the service closes.
 */
function delay(
  { clock, closing }: ServiceHost,
  fault: ApiFaultRow | null,
): Promise<void> | undefined {
  if (fault?.fault !== 'slow') return undefined;
  return closing.track(() => sleep(clock, fault.delayMs, closing.signal));
}
