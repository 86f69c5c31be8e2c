import type { ApiFault, OperationName, WebhookFault } from '../store/rows.ts';

/** An injected fault, with the number of calls or attempts that it still affects. */
export interface FaultResource {
  id: string;
  operation: FaultInput['operation'];
  fault: FaultInput['fault'];
  /** The account whose calls or webhooks are affected. Null affects all accounts. */
  tenantId: string | null;
  /** Number of calls or attempts that are still to be affected. */
  remaining: number;
  /** Delay of a slow response. Milliseconds of real time. */
  delayMs: number;
  createdAt: string;
}

/** A fault to inject. It ends after it has affected `count` calls or attempts. */
export interface FaultInput {
  /**
   * The affected operation. `create` and `validate` are calls to the API, `hosted` is every call from the
   * hosted page, and `webhook` is every delivery attempt.
   */
  operation: OperationName | 'webhook';
  /**
   * The simulated failure: a status, or a delayed response (`slow`). Calls can also get a truncated
   * response (`malformed`). Webhooks can also get no response (`hang`, which does not really wait), a lost
   * connection (`reset`), or a lost response after the event was accepted, so that it is sent again
   * (`duplicate`). Only `duplicate`, and `slow` with a delay of less than 15 seconds, reach the receiver.
   */
  fault: ApiFault | WebhookFault;
  /**
   * Number of calls or attempts that are affected. Integer, 1 to 1_000_000.
   * @default 1
   */
  count?: number | null | undefined;
  /** Limits the fault to this account. @default null, every account */
  tenantId?: string | null | undefined;
  /**
   * Delay of a `slow` response. Milliseconds of real time, integer, 0 to 600_000. A webhook that is delayed
   * by 15_000 or more times out.
   * @default 20_000, longer than the SDK waits
   */
  delayMs?: number | null | undefined;
}

/** The methods that inject faults into calls and webhooks. */
export interface FaultControl {
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
}
