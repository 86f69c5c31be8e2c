import type * as v from 'valibot';
import type { IdOf } from '../../operations/operation.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** An operation as the OpenAPI document describes it. Tests send its example. */
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
