import type * as v from 'valibot';
import type { Context } from './context.ts';

/** One operation of the control surface. With its route it is all that any caller needs to know. */
export interface Operation<F extends Method = Method> extends OperationFacts {
  /** Checks the body, or the query of a `GET`. Without it there is neither. */
  readonly input?: InputSchema;
  /** The result. Null when there is none. */
  readonly response: v.GenericSchema | null;
  readonly run: (context: Context, ...args: never[]) => Result<F> | Promise<Result<F>>;
  /** Ties the operation to its method; it has no value. */
  readonly method?: F;
}

export interface OperationFacts {
  readonly summary: string;
  /** The resource that `{id}` identifies. */
  readonly idOf?: IdOf;
  /** Describes a body that `run` checks by itself. */
  readonly uncheckedBody?: v.GenericSchema;
  /** Checks of `run` beyond `input`, as keywords of JSON Schema. */
  readonly bodyRules?: object;
  /** A body that works. Texts in angle brackets stand for what only the caller knows. */
  readonly example?: object;
  /** @default 200, or 204 without a result */
  readonly status?: number;
  /** The refusals that are its own; those of every operation are added. @default none */
  readonly refusals?: readonly number[];
  /** The order of a list that comes in pages. @default "newest first" */
  readonly order?: 'newest first' | 'oldest first';
  /** @default 65_536 */
  readonly maxBodyBytes?: number;
  /** What it makes, so that later steps of a recording can name it. @default nothing */
  readonly creates?: 'tenant' | 'keyPair' | 'session' | 'endpoint' | 'fault';
}

export type IdOf = 'tenant' | 'key' | 'session' | 'endpoint' | 'fault' | 'legacy';

export type InputSchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** One operation for each method of an interface. */
export type OperationsOf<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends Method ? Operation<Methods[Name]> : never;
};

/**
 * Defines an operation of the method that `satisfies OperationsOf<…>` names. It does not compile when the
 * schemas and the method's hand-written types disagree.
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
  // The intersections above say more than the fields of an operation can.
  return facts as unknown as Operation<F>;
}

type Method = (...args: never[]) => Promise<unknown>;
type Result<F extends Method> = Awaited<ReturnType<F>>;

/** The ids from the path, then the input as it was checked. */
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
    : { 'the schema refuses what the method takes': Last<F> }
  : unknown;

/** Requires that the method's result fits the schema. */
type Shows<R, F extends Method> = R extends v.GenericSchema
  ? Mutable<Result<F>> extends v.InferOutput<R>
    ? unknown
    : { 'the schema does not show what the method resolves with': Result<F> }
  : unknown;

/** A schema knows no `readonly`. */
type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;
