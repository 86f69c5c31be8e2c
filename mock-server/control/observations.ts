/** What a merchant's side does with a result, which the service cannot see. */
export type ObservationKind = 'access_granted' | 'url_status_trusted' | 'webhook_processed';

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
  /** Which event was processed; required for `webhook_processed`. */
  eventId?: string | null;
  /** When: an ISO 8601 date, or date and time with its zone. @default now, by the mock's clock */
  at?: string | null;
  /** Who says so, at most 100 characters, for example `return page`. */
  by?: string | null;
}

export interface ObservationResource {
  /** Counts up from 1. */
  id: number;
  at: string;
  kind: ObservationKind;
  tenantId: string;
  sessionId: string;
  eventId: string | null;
  by: string | null;
}

/** The last observations that this holder of the state was told. They are not part of the state. */
export interface ObservationLog {
  add(observation: Omit<ObservationResource, 'id'>): ObservationResource;
  /** Oldest first. */
  list(): readonly ObservationResource[];
  clear(): void;
}

/** How many observations are kept. */
export const MAX_OBSERVATIONS = 500;

/** @param onAdd Told of each observation as it is added. */
export function createObservationLog(
  onAdd: (read: () => ObservationResource) => void,
): ObservationLog {
  let kept: ObservationResource[] = [];
  let count = 0;
  return {
    add(observation) {
      count += 1;
      const added = { id: count, ...observation };
      kept = [...kept.slice(1 - MAX_OBSERVATIONS), added];
      onAdd(() => added);
      return added;
    },
    list: () => kept,
    clear() {
      kept = [];
      count = 0;
    },
  };
}
