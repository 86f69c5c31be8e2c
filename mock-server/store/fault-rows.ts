/** A fault that is injected into the next calls of an operation, or into the next webhooks. */
export type FaultRow = ApiFaultRow | WebhookFaultRow;

export interface ApiFaultRow extends FaultFacts {
  readonly operation: 'create' | 'validate' | 'hosted';
  readonly fault: '429' | '500' | '503' | 'slow' | 'malformed';
}

export interface WebhookFaultRow extends FaultFacts {
  readonly operation: 'webhook';
  /** The receiver's behaviour that is simulated. See send/engine.ts. */
  readonly fault: '401' | '410' | '429' | '500' | '503' | 'slow' | 'hang' | 'reset' | 'duplicate';
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
