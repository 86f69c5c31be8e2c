import type { Context } from 'hono';
import type * as v from 'valibot';
import type { Quota } from '../../rules/keys.ts';
import type { Db, Moment } from '../../store/db.ts';
import type { ApiFaultRow, SessionRow } from '../../store/tables.ts';
import type { IdOf, InputSchema } from '../operations/operation.ts';
import type { ServiceHost } from './host.ts';

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
   * Runs before the body is checked, once the caller is known and counted and no fault has refused the
   * call.
   */
  enter?(db: Db, caller: Caller): void;
  /** Runs the operation in the request's transaction, after all checks. */
  run(call: Call<Caller, never>): SessionRow;
  /** Builds the body of the response. */
  present(done: Done<Caller>, host: ServiceHost): object | Promise<object>;
}

/** The call of an operation, in its transaction. */
export interface Call<Caller, Input> {
  readonly db: Db;
  readonly caller: Caller;
  /** The checked body. */
  readonly input: Input;
  readonly moment: Moment;
}

/** Authentication and rate limiting of the public API or of the hosted page's API. */
export interface Access<Caller> {
  /** Returns the key or token exactly as the request sent it. */
  readCredential(headers: Headers): string | null;
  /**
   * Checks the credential outside the transaction, because some checks, such as a signature, are
   * asynchronous.
   */
  claim(host: ServiceHost, credential: string | null): Claim<Caller> | Promise<Claim<Caller>>;
  /** The rate limit of the caller's account. @default none */
  readonly limit?: Limit<Caller>;
}

export interface Claim<Caller> {
  /** The session that the credential is for, or null if it is invalid or not for a single session. */
  readonly sessionId: string | null;
  /** @throws {ServiceError} if the caller is not allowed to call the operation */
  authenticate(db: Db): Known<Caller>;
}

export interface Known<Caller> {
  readonly caller: Caller;
  readonly tenantId: string | null;
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

/** Defines an operation whose `run` receives the output of its body's schema. */
export function apiOperation<Caller, const S extends InputSchema>(
  operation: Omit<ApiOperation<Caller>, 'body' | 'bodyOf' | 'run'> & {
    readonly body?: S;
    bodyOf?(caller: Caller): InputSchema & v.GenericSchema<unknown, v.InferOutput<S>>;
    run(call: Call<Caller, v.InferOutput<S>>): SessionRow;
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
