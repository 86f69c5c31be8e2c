import type { FaultRow } from '../core/tables.ts';
import type { ScenarioName } from '../sessions/scenarios.ts';
import type { RequestFilter, RequestResource } from './requests.ts';
import type { FaultResource } from './resources.ts';
import type { RoutesOf } from './route.ts';

/** A fault to inject. */
export interface FaultInput {
  /**
   * `create` and `validate` are the API's, `hosted` is everything that the hosted page asks, and `webhook`
   * is every attempt to deliver an event.
   */
  operation: FaultRow['operation'];
  /**
   * A status; an answer that comes late (`slow`); for calls one that breaks off in the middle
   * (`malformed`). Webhooks may also get no answer (`hang`, without the wait), lose the connection
   * (`reset`), or be accepted while the answer is lost, so that they come again (`duplicate`). Only `slow`
   * and `duplicate` reach the receiver.
   */
  fault: FaultRow['fault'];
  /**
   * Number of calls or attempts that fail. Integer, 1 to 1_000_000.
   * @default 1
   */
  count?: number | null;
  /** Only calls of this account. @default every account's */
  tenantId?: string | null;
  /**
   * Delay of a `slow` response. Milliseconds of real time, integer, 0 to 600_000; from 15_000 on a webhook
   * gets no response at all.
   * @default 20_000, longer than the SDK waits
   */
  delayMs?: number | null;
}

/** Controls the service's responses for a test, and lists the requests that it received. */
export interface Steering {
  /** The scenarios that the account's next sessions take, in order. */
  nextOutcomes(tenantId: string): Promise<ScenarioName[]>;
  /** Adds to the end of that queue; resolves with all of it. */
  queueNextOutcomes(tenantId: string, outcomes: readonly ScenarioName[]): Promise<ScenarioName[]>;
  clearNextOutcomes(tenantId: string): Promise<void>;

  /** The faults that have calls left, in the order in which they are used up. */
  faults(): Promise<FaultResource[]>;
  /**
   * Makes the next calls of an operation, or the next webhooks, go wrong. Calls change nothing, but those
   * that are only slow. A test of an endpoint meets no fault.
   */
  addFault(input: FaultInput): Promise<FaultResource>;
  deleteFault(id: string): Promise<void>;
  clearFaults(): Promise<void>;

  /**
   * The last 500 requests to the API and the last 500 to the hosted page's API, newest first, secrets left
   * out. They belong to the state. Another process or tab sees them about a quarter of a second later.
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
