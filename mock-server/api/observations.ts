import type { ObservationKind, ObservationRow } from '../store/capped-tables.ts';
import { toIso } from './resources.ts';

export type { ObservationKind } from '../store/capped-tables.ts';

export const OBSERVATION_KINDS = [
  'access_granted',
  'url_status_trusted',
  'webhook_processed',
] as const satisfies readonly ObservationKind[];

/** An action on the merchant's side, reported by the merchant's code. */
export interface ObservationInput {
  /**
   * `access_granted`: the shopper got access to the restricted product. `url_status_trusted`: the status in
   * the return URL was used. `webhook_processed`: an event was handled.
   */
  kind: ObservationKind;
  sessionId: string;
  /** The handled event. Required for `webhook_processed`. */
  eventId?: string | null;
  /**
   * Time of the action, as an ISO 8601 date, or a date and time with its zone. @default now, by the
   * service's clock
   */
  at?: string | null;
  /** The reporter, at most 100 characters, for example `return page`. */
  by?: string | null;
}

/** A report of the merchant's code to the doctor. */
export interface ObservationResource {
  /** A number that counts up from 1, and starts again after a reset. */
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
