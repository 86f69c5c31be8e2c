/** Makes the next calls of an operation, or the next webhooks, go wrong. */
export type FaultRow = ApiFaultRow | WebhookFaultRow;

export interface ApiFaultRow extends FaultFacts {
  readonly operation: 'create' | 'validate' | 'hosted';
  readonly fault: '429' | '500' | '503' | 'slow' | 'malformed';
}

export interface WebhookFaultRow extends FaultFacts {
  readonly operation: 'webhook';
  /** What the service takes a receiver to have done. See delivery/with-fault.ts. */
  readonly fault: '401' | '410' | '429' | '500' | '503' | 'slow' | 'hang' | 'reset' | 'duplicate';
}

interface FaultFacts {
  readonly id: string;
  /** Only calls, or webhooks, of this account; null is every account's. */
  readonly tenantId: string | null;
  /** How many are still to go wrong. */
  readonly remaining: number;
  /** How long a slow answer takes, in real time. */
  readonly delayMs: number;
  readonly createdAtMs: number;
}
