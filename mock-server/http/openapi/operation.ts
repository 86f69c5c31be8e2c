import type * as v from 'valibot';
import type { IdOf } from '../../operations/operation.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** One operation as the document describes it. Tests send its example. */
export interface DescribedOperation {
  readonly method: Method;
  /** With OpenAPI's `{id}` where a value stands. */
  readonly path: string;
  readonly summary: string;
  /** Who may call it. */
  readonly security: 'apiKey' | 'secretKey' | 'sessionToken' | 'loopback';
  /** What `{id}` is the id of. */
  readonly idOf?: IdOf;
  /** The schema that checks the body. */
  readonly body?: v.GenericSchema;
  /** What the service checks beyond that schema, as further keywords of JSON Schema. */
  readonly bodyRules?: object;
  /** A body that works. Texts in angle brackets stand for what only the caller knows. */
  readonly example?: object;
  /** The schema that checks the query. */
  readonly query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  readonly success: number;
  /** Null when there is no body; a text for what is no JSON. */
  readonly response: v.GenericSchema | string | null;
  /** The refusals that are its own; those of every operation are added. */
  readonly refusals: readonly number[];
}
