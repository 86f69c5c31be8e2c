/** A fault that is injected into the next calls of an operation, or into the next webhooks. */
export type FaultRow = ApiFaultRow | WebhookFaultRow;

/** An API operation as faults and the log of requests name it. `hosted` is every call from the hosted page. */
export type OperationName = 'create' | 'validate' | 'hosted';
export type ApiFault = '429' | '500' | '503' | 'slow' | 'malformed';
/** The receiver's behaviour that is simulated. See send/with-fault.ts. */
export type WebhookFault =
  '401' | '410' | '429' | '500' | '503' | 'slow' | 'hang' | 'reset' | 'duplicate';

export interface ApiFaultRow extends FaultFacts {
  readonly operation: OperationName;
  readonly fault: ApiFault;
}

export interface WebhookFaultRow extends FaultFacts {
  readonly operation: 'webhook';
  readonly fault: WebhookFault;
}

interface FaultFacts {
  readonly id: string;
  /** The account whose calls or webhooks are affected. Null affects all accounts. */
  readonly tenantId: string | null;
  /** The number of calls or attempts still to be affected. */
  readonly remaining: number;
  /** The delay of a slow response, in milliseconds of real time. */
  readonly delayMs: number;
  readonly createdAtMs: number;
}
