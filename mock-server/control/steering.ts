import type { Db } from '../core/db.ts';
import type { Transaction } from '../core/store.ts';
import type { FaultRow } from '../core/tables.ts';
import { addFault, clearFaults, deleteFault } from '../rules/faults.ts';
import type { Moment } from '../rules/moment.ts';
import { clearNextOutcomes, listNextOutcomes, queueNextOutcomes } from '../rules/next-outcomes.ts';
import { parseInput } from '../rules/parse-input.ts';
import type { ScenarioName } from '../rules/scenarios.ts';
import type { RequestFilter, RequestLog, RequestResource } from './request-log.ts';
import { toFaultResource, type FaultResource } from './resources.ts';
import { restoreSnapshot, takeSnapshot, type Snapshot } from './snapshot.ts';
import { faultInput, nextOutcomesInput } from './steering-inputs.ts';

/** What is to go wrong. */
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
   * How many calls or attempts. Integer, 1 to 1_000_000.
   * @default 1
   */
  count?: number | null;
  /** Only calls of this account. @default every account's */
  tenantId?: string | null;
  /**
   * How late `slow` answers. Milliseconds of real time, integer, 0 to 600_000; from 15_000 on a webhook
   * gets no answer at all.
   * @default 20_000, longer than the SDK waits
   */
  delayMs?: number | null;
}

/** What makes the service answer as a test needs it, and tells what it was asked. */
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
   * out. Kept by each process or tab for itself.
   */
  requests(filter?: RequestFilter): Promise<RequestResource[]>;

  /** The whole state, secrets included, as plain JSON. */
  snapshot(): Promise<Snapshot>;
  /**
   * Puts a saved state in the place of this one, its time included: what had five minutes left when it was
   * saved has five minutes left.
   * @throws {ServiceError} with a sentence when it is not a snapshot that this version can read
   */
  loadSnapshot(snapshot: unknown): Promise<void>;
}

export interface SteeringParts {
  transact<T>(run: Transaction<T>): Promise<T>;
  momentIn(db: Db): Moment;
  /** Real time, milliseconds since the epoch. */
  realNow(): number;
  readonly requests: RequestLog;
  /** Tells who listens that the state is another one. */
  tellReload(): void;
}

export function createSteering(parts: SteeringParts): Steering {
  const { transact, momentIn, realNow, requests } = parts;

  return {
    nextOutcomes: (tenantId) => transact((db) => listNextOutcomes(db, tenantId)),
    queueNextOutcomes: (tenantId, outcomes) =>
      transact((db) =>
        queueNextOutcomes(db, tenantId, parseInput(nextOutcomesInput, { outcomes }).outcomes),
      ),
    clearNextOutcomes: (tenantId) => transact((db) => clearNextOutcomes(db, tenantId)),

    faults: () => transact((db) => Array.from(db.all('faults'), toFaultResource)),
    addFault: (input) =>
      transact((db) => toFaultResource(addFault(db, parseInput(faultInput, input), momentIn(db)))),
    deleteFault: (id) => transact((db) => deleteFault(db, id)),
    clearFaults: () => transact(clearFaults),

    requests: async (filter) => requests.list(filter),

    snapshot: () => transact((db) => takeSnapshot(db, momentIn(db).nowMs)),
    async loadSnapshot(snapshot) {
      await transact((db) => restoreSnapshot(db, snapshot, realNow()));
      parts.tellReload();
    },
  };
}
