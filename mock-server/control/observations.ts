import type { ObservationKind, ObservationRow } from '../core/capped-tables.ts';
import { toIso } from './resources.ts';

export type { ObservationKind } from '../core/capped-tables.ts';

export const OBSERVATION_KINDS = [
  'access_granted',
  'url_status_trusted',
  'webhook_processed',
] as const satisfies readonly ObservationKind[];

/** Something that happened on the merchant's side, told by the merchant. */
export interface ObservationInput {
  /**
   * `access_granted`: the shopper got what the age was asked for. `url_status_trusted`: the status was read
   * from the return address and used. `webhook_processed`: the work that an event asks for was done.
   */
  kind: ObservationKind;
  sessionId: string;
  /** The event that was processed; required for `webhook_processed`. */
  eventId?: string | null;
  /**
   * Time of the observation: an ISO 8601 date, or date and time with its zone. @default now, by the mock's
   * clock
   */
  at?: string | null;
  /** The reporter, at most 100 characters, for example `return page`. */
  by?: string | null;
}

export interface ObservationResource {
  /** Counts up from 1, and from 1 again after a reset. */
  id: number;
  at: string;
  kind: ObservationKind;
  tenantId: string;
  sessionId: string;
  eventId: string | null;
  by: string | null;
}

export function toObservationResource(row: ObservationRow): ObservationResource {
  const { no, atMs, kind, tenantId, sessionId, eventId, by } = row;
  return { id: no, at: toIso(atMs), kind, tenantId, sessionId, eventId, by };
}
