import type { ApiFaultRow } from '../store/fault-rows.ts';
import type { FaultRow } from '../store/tables.ts';
import type { RoutesOf } from './route.ts';
import type { ScenarioName } from './scenarios.ts';

/** A request as the control API shows it, without secrets. */
export interface RequestResource {
  /** A number that counts up from 1, and starts again after a reset. */
  id: number;
  at: string;
  /** Time of arrival by the computer's clock, not the service's. */
  realAt: string;
  durationMs: number;
  method: string;
  path: string;
  operation: ApiFaultRow['operation'] | null;
  /** The first characters of the key or token. */
  credential: string | null;
  /** The `Origin` header of the page, or of a server that forwarded it. Null if there is none. */
  origin: string | null;
  /**
   * True if the request's headers look like a browser's. False for a page whose requests pass through MSW,
   * because MSW hides the page's origin.
   */
  isBrowser: boolean;
  tenantId: string | null;
  sessionId: string | null;
  status: number;
  /** The injected fault, or null if there was none. */
  fault: ApiFaultRow['fault'] | null;
  /** Keyed by header name, in lower case. */
  requestHeaders: Record<string, string>;
  /** The body, at most 4,096 characters. Null if it was incomplete or exceeded the service's limit. */
  requestBody: string | null;
  /**
   * Keyed by header name, in lower case. Contains only the headers that the service sets, not those that
   * its host adds.
   */
  responseHeaders: Record<string, string>;
  responseBody: string;
}

/** The requests to list. An omitted field does not restrict the list, except `limit`. */
export interface RequestFilter {
  tenantId?: string | undefined;
  sessionId?: string | undefined;
  operation?: ApiFaultRow['operation'] | undefined;
  status?: number | undefined;
  /** Lists only requests with a smaller id than this. */
  before?: number | undefined;
  /** Maximum number of requests. The newest ones are returned. @default 100 */
  limit?: number | undefined;
}

/** An injected fault, with the number of calls or attempts that it still affects. */
export interface FaultResource extends Omit<FaultRow, 'createdAtMs'> {
  createdAt: string;
}

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
