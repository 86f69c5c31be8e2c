import type * as v from 'valibot';
import type { Quota } from '../../rules/keys.ts';
import type { Db, Moment } from '../../store/db.ts';
import type { ApiFaultRow, SessionRow } from '../../store/tables.ts';
import type { InputSchema } from '../operations/operation.ts';
import type { ServiceHost } from './host.ts';
import type { DescribedOperation } from './openapi/operation.ts';

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
  run(db: Db, caller: Caller, input: never, moment: Moment): SessionRow;
  /** Builds the body of the response. */
  present(done: Done<Caller>, host: ServiceHost): object | Promise<object>;
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
    run(db: Db, caller: Caller, input: v.InferOutput<S>, moment: Moment): SessionRow;
  },
): ApiOperation<Caller> {
  return operation;
}
