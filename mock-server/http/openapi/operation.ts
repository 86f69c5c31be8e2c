import type * as v from 'valibot';
import type { IdOf } from '../../operations/operation.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One operation as the document describes it. Tests send its example. */
export interface DescribedOperation {
  readonly method: Method;
  /** With OpenAPI's `{id}` where a value stands. */
  readonly path: string;
  readonly summary: string;
  /** The credential that the operation requires. */
  readonly security: 'apiKey' | 'secretKey' | 'sessionToken' | 'loopback';
  /** The resource that `{id}` identifies. */
  readonly idOf?: IdOf;
  /** The schema that checks the body. */
  readonly body?: v.GenericSchema;
  /** Further checks of the service, as keywords of JSON Schema. */
  readonly bodyRules?: object;
  /** A body that works. Texts in angle brackets stand for what only the caller knows. */
  readonly example?: object;
  /** The schema that checks the query. */
  readonly query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  readonly success: number;
  /** The schema of the response. Null if it has no body; a text if it is not JSON. */
  readonly response: v.GenericSchema | string | null;
  /** The refusals that are its own; those of every operation are added. */
  readonly refusals: readonly number[];
}
