import type { FaultRow } from '../store/tables.ts';
import type { ScenarioName } from './scenarios.ts';
import type { RequestFilter, RequestResource } from './requests.ts';
import type { FaultResource } from './resources.ts';
import type { RoutesOf } from './route.ts';

/** A fault to inject. It ends after it has affected `count` calls or attempts. */
export interface FaultInput {
  /**
   * The affected operation. `create` and `validate` are calls to the API, `hosted` is every call from the
   * hosted page, and `webhook` is every delivery attempt.
   */
  operation: FaultRow['operation'];
  /**
   * The simulated failure: a status, or a delayed response (`slow`). Calls can also get a truncated
   * response (`malformed`). Webhooks can also get no response (`hang`, which does not really wait), a lost
   * connection (`reset`), or a lost response after the event was accepted, so that it is sent again
   * (`duplicate`). Only `duplicate`, and `slow` with a delay of less than 15 seconds, reach the receiver.
   */
  fault: FaultRow['fault'];
  /**
   * Number of calls or attempts that are affected. Integer, 1 to 1_000_000.
   * @default 1
   */
  count?: number | null;
  /** Limits the fault to this account. @default null, every account */
  tenantId?: string | null;
  /**
   * Delay of a `slow` response. Milliseconds of real time, integer, 0 to 600_000. A webhook that is delayed
   * by 15_000 or more times out.
   * @default 20_000, longer than the SDK waits
   */
  delayMs?: number | null;
}

/** The methods that control the service's responses for a test and list the requests that it received. */
export interface Steering {
  /** Lists the queued scenarios for the account's next sessions, in order. */
  nextOutcomes(tenantId: string): Promise<ScenarioName[]>;
  /** Adds scenarios to the end of the account's queue. Resolves with the whole queue. */
  queueNextOutcomes(tenantId: string, outcomes: readonly ScenarioName[]): Promise<ScenarioName[]>;
  /** Removes the scenarios that are queued for the account's next sessions. */
  clearNextOutcomes(tenantId: string): Promise<void>;

  /** Lists the faults with calls or attempts left, in the order in which they are used up. */
  faults(): Promise<FaultResource[]>;
  /**
   * Injects a fault into the next calls of an operation, or into the next webhooks. A faulted call has no
   * effect unless the fault is `slow`. Test events are never faulted.
   */
  addFault(input: FaultInput): Promise<FaultResource>;
  /** Removes a fault before it is used up. */
  deleteFault(id: string): Promise<void>;
  /** Removes the faults of all operations and accounts. */
  clearFaults(): Promise<void>;

  /**
   * Lists the last 500 requests to the API and the last 500 to the hosted page's API, newest first, without
   * secrets. Successful heartbeats of the hosted page are not recorded. The requests are part of the state.
   * Another process or tab usually sees them within a quarter of a second.
   */
  requests(filter?: RequestFilter): Promise<RequestResource[]>;
}

export const steeringRoutes = {
  nextOutcomes: { method: 'GET', path: '/tenants/{id}/next-outcomes', items: 'all' },
  queueNextOutcomes: {
    method: 'POST',
    path: '/tenants/{id}/next-outcomes',
    field: 'outcomes',
    items: 'all',
  },
  clearNextOutcomes: { method: 'DELETE', path: '/tenants/{id}/next-outcomes' },
  faults: { method: 'GET', path: '/faults', items: 'all' },
  addFault: { method: 'POST', path: '/faults' },
  clearFaults: { method: 'DELETE', path: '/faults' },
  deleteFault: { method: 'DELETE', path: '/faults/{id}' },
  requests: { method: 'GET', path: '/requests', items: 'page' },
} as const satisfies RoutesOf<Steering>;
