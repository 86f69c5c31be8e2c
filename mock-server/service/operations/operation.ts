import type * as v from 'valibot';
import type { Demo } from '../../api/state.ts';
import type { Destination } from '../../send/destination.ts';
import type { WebhookTester } from '../../send/engine.ts';
import type { Db, Moment } from '../../store/db.ts';
import type { ClockControl, ClockState } from '../../store/scheduler.ts';
import type { PublicDoor } from '../public-door.ts';

/** An operation of the control API. With its route it has all the information that a caller needs. */
export interface Operation<F extends Method = Method> extends OperationFacts {
  /** Schema of the body, or of the query of a `GET`. Absent if the operation has neither. */
  readonly input?: InputSchema;
  /** The schema of the result, or null if there is none. */
  readonly response: v.GenericSchema | null;
  readonly run: (context: Context, ...args: never[]) => Result<F> | Promise<Result<F>>;
  /** Type-only property that binds the operation to its method. It is never set at run time. */
  readonly method?: F;
}

export interface OperationFacts {
  readonly summary: string;
  /** The resource that `{id}` identifies. */
  readonly idOf?: IdOf;
  /** Documents a body that `run` checks itself. */
  readonly uncheckedBody?: v.GenericSchema;
  /** Checks of `run` beyond `input`, as keywords of JSON Schema. */
  readonly bodyRules?: object;
  /** A valid body. Texts in angle brackets are placeholders for values that only the caller knows. */
  readonly example?: object;
  /** @default 200, or 204 if there is no result */
  readonly status?: number;
  /**
   * The operation's own error statuses. The statuses that all operations share are added to them.
   * @default none
   */
  readonly refusals?: readonly number[];
  /** The order of a paged list. @default "newest first" */
  readonly order?: 'newest first' | 'oldest first';
  /** Maximum size of the body, in bytes. @default 65_536 */
  readonly maxBodyBytes?: number;
}

export type IdOf = 'tenant' | 'key' | 'session' | 'endpoint' | 'fault' | 'legacy';

export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** One operation for each method of an interface. */
export type OperationsOf<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends Method ? Operation<Methods[Name]> : never;
};

/**
 * Defines the operation of a method, which `satisfies OperationsOf<…>` selects. The call does not compile
 * if the schemas and the method's hand-written types differ.
 */
export function op<
  F extends Method,
  R extends v.GenericSchema | null,
  I extends InputSchema | undefined = undefined,
>(
  facts: OperationFacts & {
    readonly input?: I & Accepts<I, F>;
    readonly response: R & Shows<R, F>;
    run(context: Context, ...args: RunArguments<F, I>): Result<F> | Promise<Result<F>>;
  },
): Operation<F> {
  // The cast is needed, because the intersections above are narrower than the fields of an operation.
  return facts as unknown as Operation<F>;
}

type Method = (...args: never[]) => Promise<unknown>;

type Result<F extends Method> = Awaited<ReturnType<F>>;

/** The ids from the path, followed by the checked input. */
type RunArguments<F extends Method, I> = I extends InputSchema
  ? [...ids: AllButLast<F>, input: v.InferOutput<I>]
  : Required<Parameters<F>>;

type AllButLast<F extends Method> =
  Required<Parameters<F>> extends [...infer Ids, unknown] ? Ids : [];

type Last<F extends Method> =
  Required<Parameters<F>> extends [...unknown[], infer Input] ? Input : never;

/** Requires that the schema accepts the method's parameter, as the whole input or as one field of it. */
type Accepts<I, F extends Method> = I extends InputSchema
  ? Mutable<Last<F>> extends v.InferInput<I> | v.InferInput<I>[keyof v.InferInput<I>]
    ? unknown
    : { 'the schema rejects a value that the method accepts': Last<F> }
  : unknown;

/** Requires that the method's result fits the schema. */
type Shows<R, F extends Method> = R extends v.GenericSchema
  ? Mutable<Result<F>> extends v.InferOutput<R>
    ? unknown
    : { 'the schema does not show what the method resolves with': Result<F> }
  : unknown;

/** Removes `readonly`, which schemas do not support. */
type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/** The parts of the service that operations use. */
export interface Context {
  /** Opens the service if needed and runs one transaction. */
  transact<T>(run: (db: Db, moment: Moment) => T): Promise<T>;
  /** Opens the service if needed and reads or changes its clock. */
  useClock(use: (clock: ClockControl) => Promise<ClockState>): Promise<ClockState>;
  /** Returns real time, in milliseconds since the epoch. */
  realNow(): number;
  readonly tester: WebhookTester;
  /** Writes the buffered requests. */
  flushRequests(): Promise<void>;
  resolveDestination(url: string): Promise<Destination>;
  reset(): Promise<Demo>;
  /** Finds the first account, whose keys applications use. */
  findDemo(db: Db): Demo;
  /** The listener for other devices, or null if there is none. */
  readonly door: PublicDoor | null;
  /** Returns the link with which another device continues a session. */
  toHandoffUrl(sessionId: string): Promise<string>;
  /** Notifies listeners that the state was replaced. */
  publishReload(): void;
}
