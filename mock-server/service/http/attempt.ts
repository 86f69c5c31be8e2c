import type { Quota } from '../../rules/keys.ts';
import type { ServiceError } from '../../store/errors.ts';
import type { ApiFaultRow } from '../../store/tables.ts';
import type { Done, Known } from './api-operation.ts';

/** The state of a request after its transaction. */
export type Attempt<Caller> = {
  readonly nowMs: number;
  /** Null if the caller was not authenticated. */
  readonly known: Known<Caller> | null;
  /** Null if requests are not counted. */
  readonly quota: Quota | null;
  readonly fault: ApiFaultRow | null;
} & ({ readonly done: Done<Caller> } | { readonly error: ServiceError });
