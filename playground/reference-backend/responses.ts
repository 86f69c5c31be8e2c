import type { ValidationResult } from 'ofage/server';

// The bodies of the server's responses. The shop's pages use these types, too.

/** The server's decision about a session. Only `access` opens the shop. */
export interface Decision {
  readonly access: boolean;
  /**
   * The result of validate. Null if it could not be fetched, or if the session belongs to another customer.
   */
  readonly validation: ValidationResult | null;
  readonly problem: Problem | null;
  /** The hosted page of a check that is still open, if this server has created it. */
  readonly checkUrl?: string;
}

export interface Problem {
  readonly code: string;
  readonly message: string;
}

/** The stored state of the signed-in customer. */
export interface AccessState {
  readonly customerId: string;
  readonly access: boolean;
  /** Time at which the shopper passed, by the service's clock. ISO 8601. */
  readonly since: string | null;
  readonly by: GrantedBy | null;
  /** The customer's latest session. A page that has lost the result asks for the decision on this session. */
  readonly latestSessionId: string | null;
  readonly webhooks: readonly ReceivedWebhook[];
}

/** `webhook` only if the response of validate was lost. See verification.ts. */
export type GrantedBy = 'validate' | 'webhook';

export interface ReceivedWebhook {
  readonly eventId: string | null;
  readonly event: string;
  readonly sessionId: string;
  /** Time of the event, by the service's clock. ISO 8601. */
  readonly happenedAt: string;
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly duplicate: boolean;
}

export interface Order {
  /** The order number, shown on the confirmation. */
  readonly number: string;
  /** ISO 8601. */
  readonly placedAt: string;
  readonly lines: readonly OrderLine[];
  /** Euro cents. */
  readonly totalCents: number;
  /** The session that gave the customer access. */
  readonly sessionId: string;
}

export interface OrderLine {
  readonly sku: string;
  readonly name: string;
  readonly priceCents: number;
  readonly quantity: number;
}

/** The reason why an order was refused. */
export interface Refusal {
  readonly code: 'age_not_confirmed' | 'basket_invalid';
  readonly message: string;
}
